// Makesamples writes the documents of the walk-through: what the databases of
// the service held one day, as "mongoexport" and a Cosmos DB export give them.
// It writes the same bytes every time.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: makesamples DIRECTORY")
	}
	if err := write(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return errors.Join(
		collection(dir, "members", 150, member),
		collection(dir, "courses", 120, course),
		collection(dir, "bookings", 400, booking),
		collection(dir, "pieces", 300, piece),
		collection(dir, "sessions", 120, session),
		collection(dir, "wares", 360, ware),
		collection(dir, "baskets", 120, basket),
		collection(dir, "exhibitions", 24, exhibition),
		collection(dir, "showings", 160, showing),
		collection(dir, "invoices", 140, invoice),
	)
}

// collection writes documents as JSON Lines.
func collection(dir, name string, n int, document func(i int) any) error {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	for i := range n {
		if err := encoder.Encode(document(i)); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, name+".jsonl"), out.Bytes(), 0o644)
}

// An object writes its members in order.
type object []field

type field struct {
	name  string
	value any
}

func (o object) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, f := range o {
		if i > 0 {
			out.WriteByte(',')
		}
		name, err := json.Marshal(f.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(f.value)
		if err != nil {
			return nil, err
		}
		out.Write(name)
		out.WriteByte(':')
		out.Write(value)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// Ids of MongoDB begin with the second in which they were made.
const (
	members = 1 << iota
	courses
	bookings
	pieces
	messages
)

func objectID(of, i int, at time.Time) object {
	return object{{"$oid", fmt.Sprintf("%08x%010x%06x", at.Unix(), 0x5be1a70000+of, 7919*i%0xffffff)}}
}

func date(at time.Time) object {
	return object{{"$date", at.UTC().Format("2006-01-02T15:04:05Z")}}
}

var opened = time.Date(2024, 3, 4, 9, 0, 0, 0, time.UTC)

// after is a moment some hours after the studio opened, not at full minutes.
func after(hours, seed int) time.Time {
	return opened.Add(time.Duration(hours)*time.Hour + time.Duration(seed*37%3600)*time.Second)
}

func pick[T any](from []T, seed int) T { return from[(seed%len(from)+len(from))%len(from)] }

var (
	first = strings.Fields("Ada Bela Cleo Dina Edda Finn Gita Hugo Ines Juri Kaya Lars Mara Nils Oda Paul Runa Sven Tove Uma Vera Wim Yara")
	last  = strings.Fields("Aalto Berg Costa Dahl Eriksen Falk Grau Holm Ivers Jansen Krog Lund Moen Nygaard Olsen Prinz Quist")
	clays = []string{"stoneware", "porcelain", "raku", "earthenware"}
	glaze = []string{"celadon", "tenmoku", "shino", "ash", "cobalt", "clear"}
)

func memberName(i int) string { return pick(first, i*7) + " " + pick(last, i*5+i/23) }

func email(i int) string {
	return strings.ToLower(strings.ReplaceAll(memberName(i), " ", ".")) + fmt.Sprint(i) + "@example.com"
}

func memberID(i int) object { return objectID(members, i, after(i*90, i)) }

// member: a program for newsletters keeps what it needs in the same documents.
// One person joined twice, with a phone that begins sentences in capitals.
func member(i int) any {
	name, address := memberName(i), email(i)
	if i == 148 {
		name, address = memberName(12), strings.ToUpper(email(12)[:1])+email(12)[1:]
	}
	m := object{
		{"_id", memberID(i)}, {"name", name}, {"email", address},
		{"phone", fmt.Sprintf("+47 %03d %02d %03d", 400+i*13%580, i*29%100, i*271%1000)}, {"joined", date(after(i*90, i))},
	}
	if i%3 != 1 {
		m = append(m, field{"newsletter", object{{"topics", pick([][]string{{"courses"}, {"courses", "kiln"}, {"exhibitions"}}, i)}, {"confirmed", date(after(i*90+5, i*3))}}})
	}
	return m
}

var (
	titles = []string{"First bowls", "Throwing tall", "Hand building", "Glazes", "Tiles", "Teapots", "Raku night", "Slip and trail"}
	said   = []string{
		"I am a quarter of an hour late today.", "Whose is the blue bowl on the top shelf?", "Bring an apron and short nails.",
		"The kiln is still warm, please wait until four.", "Can I swap Tuesday for Thursday?", "There is a new bag of stoneware.",
		"My handles come off again. What do I do wrong?", "Thank you for last week!",
	}
)

func courseID(i int) object { return objectID(courses, i, after(i*110, i)) }

// course: a few have been going on for years, and their walls with them.
func course(i int) any {
	n := i * 5 % 37
	switch i {
	case 17:
		n = 640
	case 61:
		n = 580
	}
	wall := make([]any, n)
	for j := range wall {
		at := after(i*110+24+j*3, i+j)
		wall[j] = object{{"_id", objectID(messages, 1000*i+j, at)}, {"author", memberName(i + j*j)}, {"text", pick(said, i+j*3)}, {"sentAt", date(at)}}
	}
	return object{
		{"_id", courseID(i)}, {"title", fmt.Sprintf("%s %d", pick(titles, i), 1+i/len(titles))}, {"teacher", pick(first, i%4)},
		{"startsAt", date(after(i*110+240, 0))}, {"seats", 6 + i%3*2}, {"messages", wall},
	}
}

// booking: two members left, and their bookings stayed.
func booking(i int) any {
	of := i * 11 % 150
	if i == 133 || i == 290 {
		of = 151 + i%2
	}
	at := after(i*30, i*5)
	return object{
		{"_id", objectID(bookings, i, at)}, {"courseId", courseID(i * 7 % 120)}, {"memberId", memberID(of)}, {"price", 4500 + i%3*500},
		{"paid", i%5 != 0}, {"bookedAt", date(at)}, {"note", pick([]string{"", "comes with a friend", "left-handed wheel", "pays in cash"}, i*i)},
	}
}

// piece: nothing is fired more than four times.
func piece(i int) any {
	at := after(i*45, i)
	fired := make([]any, i%5)
	for j := range fired {
		fired[j] = object{
			{"at", date(after(i*45+100+j*72, i*j))}, {"kiln", pick([]string{"large", "small"}, i+j)}, {"cone", pick([]string{"06", "6", "10"}, j)},
			{"result", pick([]string{"good", "crawled", "good", "pinholes", "good"}, i+j)},
		}
	}
	return object{
		{"_id", objectID(pieces, i, at)}, {"title", pick([]string{"bowl", "mug", "plate", "vase", "tile"}, i*3) + fmt.Sprint(" ", 1+i)},
		{"clay", pick(clays, i)}, {"glaze", pick(glaze, i/2)}, {"firings", fired},
	}
}

func session(i int) any {
	return object{
		{"_id", fmt.Sprintf("%016x%016x", uint64(i+1)*0x9e3779b97f4a7c15, uint64(i+1)*0xc2b2ae3d27d4eb4f)}, {"memberId", memberID(i * 7 % 150)},
		{"device", pick([]string{"phone", "laptop", "tablet"}, i*i)}, {"expiresAt", after(24*400+i*5, i*11).Unix()},
	}
}

var shapes = []string{"bowl", "mug", "plate", "vase", "tile", "jug", "teapot"}

func wareID(i int) string { return fmt.Sprintf("w-%04d", 1000+i*3) }

func ware(i int) any {
	status := "for sale"
	if i%3 == 1 {
		status = "in a basket"
	}
	return object{
		{"id", wareID(i)}, {"maker", memberName(i * 3)}, {"title", fmt.Sprintf("%s %s %d", pick(glaze, i), pick(shapes, i/3), 1+i)},
		{"price", 1200 + i*i*7%4300}, {"status", status},
	}
}

// basket: every ware is one of a kind, and in one basket.
func basket(i int) any {
	return object{
		{"id", fmt.Sprintf("b-%05d", 20000+i*13)}, {"customer", email(i)}, {"ware", ware(3*i + 1)},
		{"until", after(24*700+i*20, i).Format("2006-01-02")},
	}
}

func exhibitionID(i int) string { return fmt.Sprintf("e-%02d", 1+i) }

func exhibition(i int) any {
	from := after(24*30*i, 0)
	return object{
		{"id", exhibitionID(i)}, {"title", pick([]string{"Spring glazes", "Small things", "Wood and ash", "Blue", "Teachers"}, i) + fmt.Sprint(" ", from.Year())},
		{"room", pick([]string{"hall", "harbour", "window"}, i)}, {"from", from.Format("2006-01-02")}, {"until", from.AddDate(0, 0, 28).Format("2006-01-02")},
	}
}

// showing: a ware is shown twice at most, and a room has place for a dozen.
func showing(i int) any {
	w, e := i*7%80, i%24
	return object{{"id", wareID(w) + "." + exhibitionID(e)}, {"wareId", wareID(w)}, {"exhibitionId", exhibitionID(e)}}
}

// invoice: one line was struck after the total was written.
func invoice(i int) any {
	var lines []any
	total := 0
	for j := range 2 + i%3 {
		amount := 480 + (i*311+j*977)%5200
		lines = append(lines, object{{"text", "ware " + wareID(i*5+j*7)}, {"amount", amount}})
		total += amount
	}
	if i == 88 {
		lines = lines[:len(lines)-1]
	}
	return object{
		{"id", fmt.Sprintf("i-2026-%04d", 1+i)}, {"customer", email(i * 3 % 140)}, {"issued", after(24*600+i*40, i).Format("2006-01-02")},
		{"lines", lines}, {"total", total},
	}
}
