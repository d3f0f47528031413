package codecs_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	ddb "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/stretchr/testify/require"
	"go.mongodb.org/mongo-driver/v2/bson"
)

// An object is a document, or a part of one, with its members in order.
type object []member

type member struct {
	name  string
	value any
}

// A number is a number as JSON writes it.
type number string

// texts are strings in the forms that codecs distinguish, and others.
var texts = []string{
	"", "a", "7", "1.5", "true", "null", "plain words", "0123456789ab", "65a000000000000000000001", "2024-01-02T03:04:05Z", "2024-01-02T03:04:05.678+02:00",
	"2024-01-02", "2024-01-02T03:04:05", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "ann@example.com", "YWJj", "https://example.com/a", `say "hi"`, "a long text of several words in a row",
}

var integers = []int64{0, 1, -1, 7, 127, 128, -128, -129, 200, 255, 256, 32767, 40000, -32769, 70000, 1 << 24, 1<<24 + 1, 1<<31 - 1, 1 << 31, -1<<31 - 1, 1 << 40, 1 << 53}

var doubles = []float64{0, 1, -2, 1.5, 0.1, -0.25, 300, 70000, 1e12, 1e20}

// value makes a value of the classes that a codec stores. Objects have one of
// the given names, or others.
func (m *maker) value(depth int) any {
	n := 8
	if depth > 0 {
		n = 10
	}
	switch k := m.IntN(n); k {
	case 0:
		return nil
	case 1:
		return m.IntN(2) == 0
	case 2, 3:
		return pick(m.Rand, integers)
	case 4:
		return pick(m.Rand, doubles)
	case 5, 6:
		return pick(m.Rand, texts)
	case 7:
		return m.codec.special(m.Rand)
	case 8:
		return m.list(depth, m.value)
	default:
		return m.object(depth)
	}
}

func (m *maker) list(depth int, element func(int) any) []any {
	list := []any{}
	for range m.IntN(4) {
		list = append(list, element(depth-1))
	}
	return list
}

func (m *maker) object(depth int) object {
	o := object{}
	for _, name := range []string{"a", "name", "Total", "x", "7"} {
		if m.IntN(3) == 0 {
			o = append(o, member{name, m.value(depth - 1)})
		}
	}
	return o
}

func pick[T any](r *rand.Rand, of []T) T { return of[r.IntN(len(of))] }

// toBSON turns a value into one of package bson.
func toBSON(v any) any {
	switch v := v.(type) {
	case object:
		d := bson.D{}
		for _, m := range v {
			d = append(d, bson.E{Key: m.name, Value: toBSON(m.value)})
		}
		return d
	case []any:
		a := bson.A{}
		for _, e := range v {
			a = append(a, toBSON(e))
		}
		return a
	case int64:
		if v == int64(int32(v)) {
			return int32(v)
		}
	}
	return v
}

// bsonSpecials are values of types that only BSON has.
func bsonSpecials(r *rand.Rand) any {
	decimal, _ := bson.ParseDecimal128("12.50")
	id, _ := bson.ObjectIDFromHex("65a000000000000000000001")
	return pick(r, []any{
		id, id, bson.NewDateTimeFromTime(time.Unix(1_700_000_000, 0)), bson.NewDateTimeFromTime(time.Unix(1_700_000_000, 0)), decimal,
		bson.Binary{Data: []byte("abc")}, bson.Binary{Subtype: 4, Data: []byte("0123456789abcdef")}, bson.Timestamp{T: 1_700_000_000, I: 1},
		bson.Regex{Pattern: "a"}, bson.MinKey{},
	})
}

// jsonSpecials are numbers in forms that JSON allows besides the usual one.
func jsonSpecials(r *rand.Rand) any {
	return pick(r, []any{number("1.0"), number("1e3"), number("2.5e1"), number("9223372036854775807"), number("12345678901234567890")})
}

// toJSON writes a value as JSON.
func toJSON(t *testing.T, v any) string {
	switch v := v.(type) {
	case object:
		var members []string
		for _, m := range v {
			members = append(members, strconv.Quote(m.name)+":"+toJSON(t, m.value))
		}
		return "{" + strings.Join(members, ",") + "}"
	case []any:
		var elements []string
		for _, e := range v {
			elements = append(elements, toJSON(t, e))
		}
		return "[" + strings.Join(elements, ",") + "]"
	case number:
		return string(v)
	}
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}

// toDynamoDB turns a value into an attribute and writes it as DynamoDB JSON.
func toDynamoDB(v any) (ddb.AttributeValue, string) {
	switch v := v.(type) {
	case nil:
		return &ddb.AttributeValueMemberNULL{Value: true}, `{"NULL":true}`
	case bool:
		return &ddb.AttributeValueMemberBOOL{Value: v}, fmt.Sprintf(`{"BOOL":%t}`, v)
	case int64:
		return &ddb.AttributeValueMemberN{Value: fmt.Sprint(v)}, fmt.Sprintf(`{"N":"%d"}`, v)
	case float64:
		text := strconv.FormatFloat(v, 'f', -1, 64)
		return &ddb.AttributeValueMemberN{Value: text}, fmt.Sprintf(`{"N":%q}`, text)
	case string:
		return &ddb.AttributeValueMemberS{Value: v}, fmt.Sprintf(`{"S":%q}`, v)
	case []byte:
		return &ddb.AttributeValueMemberB{Value: v}, fmt.Sprintf(`{"B":%q}`, base64.StdEncoding.EncodeToString(v))
	case []any:
		list := &ddb.AttributeValueMemberL{Value: []ddb.AttributeValue{}}
		var elements []string
		for _, e := range v {
			a, text := toDynamoDB(e)
			list.Value, elements = append(list.Value, a), append(elements, text)
		}
		return list, `{"L":[` + strings.Join(elements, ",") + `]}`
	case object:
		members, text := toItem(v)
		return &ddb.AttributeValueMemberM{Value: members}, `{"M":` + text + `}`
	}
	panic(fmt.Sprintf("no attribute: %T", v))
}

func toItem(o object) (map[string]ddb.AttributeValue, string) {
	item := map[string]ddb.AttributeValue{}
	var members []string
	for _, m := range o {
		a, text := toDynamoDB(m.value)
		item[m.name] = a
		members = append(members, strconv.Quote(m.name)+":"+text)
	}
	return item, "{" + strings.Join(members, ",") + "}"
}
