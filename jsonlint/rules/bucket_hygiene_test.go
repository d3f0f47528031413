package rules_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/shapevet/shapevet/jsonlint"
)

// A pageOf is a bucket: its first element, how many it has and how many it
// says.
type pageOf struct{ first, length, count int }

// sensor makes the buckets of one sensor.
func sensor(n int, pages ...pageOf) (out []string) {
	for i, p := range pages {
		out = append(out, fmt.Sprintf(`{"id":"s%d-%d","sensorId":"s%d","count":%d,"readings":[%s]}`, n, i+1, n, p.count,
			joined(p.length, func(k int) string { return fmt.Sprintf(`{"id":%d,"celsius":%d.5}`, p.first+k, k%9) })))
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

func TestBucketHygiene(t *testing.T) {
	t.Parallel()
	runShapeCases(t, "bucket-hygiene", []shapeCase{
		{name: "sound", db: database{"readings": sensors(0, 10)}},
		{
			name: "a wrong count", db: database{"readings": concat(sensors(0, 5), sensor(7, pageOf{0, 10, 10}, pageOf{10, 9, 10}), sensors(8, 3))},
			want: []string{"error readings.jsonl:17 count"}, says: "count is 10 here, and readings has 9 elements",
		},
		{
			name: "overfull", db: database{"readings": concat(sensors(0, 5), sensor(7, pageOf{0, 10, 10}, pageOf{10, 17, 17}), sensors(8, 3))},
			want: []string{"warning readings.jsonl:17 readings"}, says: "more than the usual 10 elements: up to 17",
		},
		{
			name: "overlap", db: database{"readings": concat(sensors(0, 5), sensor(7, pageOf{0, 10, 10}, pageOf{8, 4, 4}), sensors(8, 3))},
			want: []string{"warning readings.jsonl:17 readings"}, says: "starts with id 8, and its neighbour ends with 9",
		},
		{
			name: "out of order",
			db: database{"readings": concat(sensors(0, 5), []string{
				`{"id":"s7-1","sensorId":"s7","count":3,"readings":[{"id":1,"celsius":2.5},{"id":3,"celsius":2.5},{"id":2,"celsius":2.5}]}`,
			}, sensors(8, 3))},
			want: []string{"warning readings.jsonl:16 readings"}, says: "out of order of id",
		},
		{
			name: "left half empty", db: database{"readings": concat(sensors(0, 5), sensor(7, pageOf{0, 3, 3}, pageOf{10, 4, 4}, pageOf{20, 4, 4}), sensors(8, 3))},
			want: []string{"info readings.jsonl:17 readings"},
		},
		{
			name: "nothing numbers them",
			db: database{"readings": times(0, 40, `{"id":"x%[1]d","sensorId":"s3","readings":[`+
				joined(10, func(i int) string { return fmt.Sprintf(`{"celsius":%d.5}`, i) })+`]}`)},
			want: []string{"info readings.jsonl:1 "},
		},
		{
			name: "orders with their lines",
			db:   database{"orders": times(0, 40, `{"id":"o%[1]d","customerId":"c3","count":3,"items":[{"id":3,"sku":"a"},{"id":1,"sku":"b"}]}`)},
		},
	})
}

func TestBucketHygieneCosmos(t *testing.T) {
	t.Parallel()
	db := database{"readings": concat(sensors(0, 5), sensor(7, pageOf{0, 10, 10}, pageOf{10, 9, 10}))}
	found := findingsOf(t, "bucket-hygiene", db, jsonlint.Options{DB: "cosmosdb"})
	require.Len(t, found, 1)
	assert.Contains(t, found[0].Advice, "one item per element")
}
