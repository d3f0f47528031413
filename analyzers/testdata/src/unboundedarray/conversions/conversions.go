// Package conversions works on one type and stores another: what code adds to
// the list of the first is stored with the second.
package conversions

import (
	"context"
	"net/http"
	"slices"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Reply struct {
	ID   string    `bson:"id"`
	Text string    `bson:"text"`
	Sent time.Time `bson:"sent"`
}

// Ticket is what the program works on.
type Ticket struct {
	id      string
	replies []Reply
	remarks []Reply
	notices []Reply
	calls   []Reply
	fetched []Reply
	visits  []Reply
	threads []thread
	mails   []Reply
}

// thread is stored as a threadDocument.
type thread struct {
	id    string
	begun time.Time
}

func (t *Ticket) Threads() []thread {
	if t == nil {
		return nil
	}
	return slices.Clone(t.threads)
}

func (t *Ticket) Begin(th thread) { t.threads = append(t.threads, th) }

func (b *builder) Threads(threads []thread) *builder {
	b.t.threads = threads
	return b
}

type ticketDocument struct {
	ID      string           `bson:"_id"`
	Replies []Reply          `bson:"replies"` // want `replies grows without bound: each request to POST /replies adds to the list in ticketDocument`
	Remarks []Reply          `bson:"remarks"` // want `remarks grows without bound`
	Notices []Reply          `bson:"notices"` // the last few are kept
	Calls   []Reply          `bson:"calls"`   // those that are over are taken out
	Fetched []Reply          `bson:"fetched"` // filled anew each time
	Visits  []Reply          `bson:"visits"`  // want `visits grows without bound`
	Threads []threadDocument `bson:"threads"` // want `threads grows without bound: each request to POST /threads`
	// To bound the $push alone would not help.
	Mails []Reply `bson:"mails"` // want `mails grows without bound`
}

type threadDocument struct {
	ID    string    `bson:"id"`
	Begun time.Time `bson:"begun"`
}

func (t *Ticket) Replies() []Reply { return t.replies }

func (t *Ticket) Reply(text string, now time.Time) {
	if t.replies == nil {
		t.replies = make([]Reply, 0)
	}
	t.replies = append(t.replies, Reply{ID: now.String(), Text: text, Sent: now})
}

func (t *Ticket) Notice(r Reply) {
	t.notices = append(t.notices, r)
	if len(t.notices) > 20 {
		t.notices = t.notices[len(t.notices)-20:]
	}
}

func (t *Ticket) Call(r Reply) { t.calls = append(t.calls, r) }

func (t *Ticket) Hang(id string) {
	t.calls = slices.DeleteFunc(t.calls, func(r Reply) bool { return r.ID == id })
}

type builder struct{ t *Ticket }

func (b *builder) Replies(replies []Reply) *builder {
	b.t.replies = slices.Clone(replies)
	return b
}

func (b *builder) Visits(visits []Reply) *builder {
	b.t.visits = visits
	return b
}

func toTicket(d ticketDocument) *Ticket {
	remarks := d.Remarks
	t := &Ticket{id: d.ID, remarks: remarks, notices: d.Notices, calls: d.Calls, fetched: d.Fetched, mails: d.Mails}
	var threads []thread
	for _, th := range d.Threads {
		threads = append(threads, thread{id: th.ID, begun: th.Begun})
	}
	(&builder{t}).Replies(d.Replies).Visits(d.Visits).Threads(threads)
	return t
}

func fromTicket(t *Ticket) ticketDocument {
	remarks := t.remarks
	visits := append([]Reply(nil), t.visits...)
	threads := each(t.Threads(), func(th thread) threadDocument { return threadDocument{ID: th.id, Begun: th.begun} })
	return ticketDocument{ID: t.id, Threads: threads, Replies: t.Replies(), Remarks: remarks, Notices: t.notices, Calls: t.calls, Fetched: t.fetched, Visits: visits, Mails: t.mails}
}

func each[T, R any](list []T, f func(T) R) []R {
	all := make([]R, len(list))
	for i, element := range list {
		all[i] = f(element)
	}
	return all
}

type store struct{ tickets *mongo.Collection }

func (s store) find(ctx context.Context, id string) (*Ticket, error) {
	var d ticketDocument
	if err := s.tickets.FindOne(ctx, bson.M{"_id": id}).Decode(&d); err != nil {
		return nil, err
	}
	return toTicket(d), nil
}

func (s store) save(ctx context.Context, t *Ticket) error {
	_, err := s.tickets.ReplaceOne(ctx, bson.M{"_id": t.id}, fromTicket(t))
	return err
}

func (s store) mail(ctx context.Context, id string, r Reply) error {
	_, err := s.tickets.UpdateOne(ctx, bson.M{"_id": id}, bson.M{"$push": bson.M{"mails": r}})
	return err
}

func (s store) routes(mux *http.ServeMux) {
	mux.HandleFunc("POST /replies", s.reply)
	mux.HandleFunc("POST /remarks", s.remark)
	mux.HandleFunc("POST /threads", s.begin)
}

func (s store) begin(w http.ResponseWriter, r *http.Request) {
	t, err := s.find(r.Context(), r.FormValue("ticket"))
	if err != nil {
		return
	}
	t.Begin(thread{id: r.FormValue("id"), begun: time.Now()})
	_ = s.save(r.Context(), t)
}

func (s store) reply(w http.ResponseWriter, r *http.Request) {
	t, err := s.find(r.Context(), r.FormValue("ticket"))
	if err != nil {
		return
	}
	t.Reply(r.FormValue("text"), time.Now())
	_ = s.save(r.Context(), t)
}

func (s store) remark(w http.ResponseWriter, r *http.Request) {
	t, err := s.find(r.Context(), r.FormValue("ticket"))
	if err != nil {
		return
	}
	said := Reply{ID: r.FormValue("id"), Text: r.FormValue("text"), Sent: time.Now()}
	t.remarks = append(t.remarks, said)
	t.Notice(said)
	t.Call(said)
	t.fetched = nil
	for _, reply := range t.replies {
		t.fetched = append(t.fetched, reply)
	}
	t.visits = append(t.visits, said)
	t.mails = append(t.mails, said)
	_ = s.save(r.Context(), t)
}

// with sets the fields of a ticket from what is stored.
func (t Ticket) with(d ticketDocument) Ticket {
	t.replies = d.Replies
	return t
}

// again gives a variable its own value once more.
func (s store) again(ctx context.Context, id string, t Ticket) Ticket {
	var d ticketDocument
	if err := s.tickets.FindOne(ctx, bson.M{"_id": id}).Decode(&d); err != nil {
		return t
	}
	t = t.with(d)
	t = Ticket(t)
	t.replies = append(t.replies, Reply{})
	u := t
	u = u.with(d)
	u = Ticket(u)
	u.replies = append(u.replies, Reply{})
	return u
}
