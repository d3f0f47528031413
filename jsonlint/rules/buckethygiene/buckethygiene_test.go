package buckethygiene_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint"
	"github.com/shapevet/shapevet/jsonlint/rules/internal/ruletest"
)

// A pageOf is a bucket: its first element, how many it has and how many it
// says.
type pageOf struct{ first, length, count int }

// sensor makes the buckets of one sensor.
func sensor(n int, pages ...pageOf) (out []string) {
	for i, p := range pages {
		out = append(out, fmt.Sprintf(`{"id":"s%d-%d","sensorId":"s%d","count":%d,"readings":[%s]}`, n, i+1, n, p.count,
			ruletest.Joined(p.length, func(k int) string { return fmt.Sprintf(`{"id":%d,"celsius":%d.5}`, p.first+k, k%9) })))
	}
	return out
}

// sensors makes full buckets of ten, and a last one with four.
func sensors(from, n int) (out []string) {
	for i := range n {
		out = append(out, sensor(from+i, pageOf{0, 10, 10}, pageOf{10, 10, 10}, pageOf{20, 4, 4})...)
	}
	return out
}

// sparse makes 60 buckets of which one in eight or nine is full, and the others
// hold one element.
func sparse() (out []string) {
	for i := range 20 {
		first := pageOf{0, 1, 1}
		if i < 7 {
			first = pageOf{0, 10, 10}
		}
		out = append(out, sensor(i, first, pageOf{10, 1, 1}, pageOf{20, 1, 1})...)
	}
	return out
}

func TestBucketHygiene(t *testing.T) {
	t.Parallel()
	ruletest.Run(t, "bucket-hygiene", []ruletest.ShapeCase{
		{Name: "sound", DB: ruletest.Database{"readings": sensors(0, 10)}},
		{
			Name: "a wrong count", DB: ruletest.Database{"readings": ruletest.Concat(sensors(0, 5), sensor(7, pageOf{0, 10, 10}, pageOf{10, 9, 10}), sensors(8, 3))},
			Want: []string{"error readings.jsonl:17 count"}, Says: `in 1 of 26 buckets the count is wrong: count is 10 here, but readings has 9 elements`,
		},
		{
			Name: "overfull", DB: ruletest.Database{"readings": ruletest.Concat(sensors(0, 5), sensor(7, pageOf{0, 10, 10}, pageOf{10, 17, 17}), sensors(8, 3))},
			Want: []string{"warning readings.jsonl:17 readings"}, Says: `1 of 26 buckets with more than the usual 10 elements, up to 17`,
		},
		{
			Name: "overlap", DB: ruletest.Database{"readings": ruletest.Concat(sensors(0, 5), sensor(7, pageOf{0, 10, 10}, pageOf{8, 4, 4}), sensors(8, 3))},
			Want: []string{"warning readings.jsonl:17 readings"}, Says: `1 of 17 pairs of neighbouring buckets overlap: this one starts at id 8, but its neighbour ends at 9`,
		},
		{
			Name: "out of order",
			DB: ruletest.Database{"readings": ruletest.Concat(sensors(0, 5), []string{
				`{"id":"s7-1","sensorId":"s7","count":3,"readings":[{"id":1,"celsius":2.5},{"id":3,"celsius":2.5},{"id":2,"celsius":2.5}]}`,
			}, sensors(8, 3))},
			Want: []string{"warning readings.jsonl:16 readings"}, Says: `in 1 of 25 buckets the elements are not in the order of id`,
		},
		{
			Name: "left half empty", DB: ruletest.Database{"readings": ruletest.Concat(sensors(0, 5), sensor(7, pageOf{0, 3, 3}, pageOf{10, 4, 4}, pageOf{20, 4, 4}), sensors(8, 3))},
			Want: []string{"info readings.jsonl:17 readings"},
		},
		{
			Name: "nearly empty", DB: ruletest.Database{"readings": sparse()},
			Want: []string{"info readings.jsonl:1 readings"}, Says: `half of 60 buckets hold at most 1 element; a full one holds 10`,
		},
		{
			Name: "nothing numbers them",
			DB: ruletest.Database{"readings": ruletest.Times(0, 40, `{"id":"x%[1]d","sensorId":"s3","readings":[`+
				ruletest.Joined(10, func(i int) string { return fmt.Sprintf(`{"celsius":%d.5}`, i) })+`]}`)},
			Want: []string{"info readings.jsonl:1 "},
		},
		{
			Name: "orders with their lines",
			DB:   ruletest.Database{"orders": ruletest.Times(0, 40, `{"id":"o%[1]d","customerId":"c3","count":3,"items":[{"id":3,"sku":"a"},{"id":1,"sku":"b"}]}`)},
		},
	})
}

func TestBucketHygieneCosmos(t *testing.T) {
	t.Parallel()
	db := ruletest.Database{"readings": ruletest.Concat(sensors(0, 5), sensor(7, pageOf{0, 10, 10}, pageOf{10, 9, 10}))}
	found := ruletest.FindingsOf(t, "bucket-hygiene", db, jsonlint.Options{DB: "cosmosdb"})
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Advice, "one item per element")
}
