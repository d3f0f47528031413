// Package mapped stores documents as maps that functions make from structs.
package mapped

import (
	"context"
	"net/http"

	"cloud.google.com/go/firestore"
)

type talk struct {
	ID      string   `json:"id"`
	Owner   string   `json:"owner_id"`
	Entries []entry  `json:"entries"` // want `entries grows without bound: each request`
	Viewers []string `json:"viewers"` // want `viewers grows without bound`
	Words   []string `json:"words"`
}

type entry struct {
	From string `json:"from"`
	Text string `json:"text"`
}

func talkToMap(t talk) map[string]any {
	return map[string]any{
		"id":       t.ID,
		"owner_id": t.Owner,
		"entries":  entriesToMaps(t.Entries),
		"viewers":  t.Viewers,
		"words":    t.Words,
	}
}

func entriesToMaps(entries []entry) []map[string]any {
	var all []map[string]any
	for _, e := range entries {
		all = append(all, map[string]any{"from": e.From, "text": e.Text})
	}
	return all
}

func talkFromMap(data map[string]any) talk {
	id, _ := data["id"].(string)
	owner, _ := data["owner_id"].(string)
	return talk{ID: id, Owner: owner, Entries: entriesFromMaps(data, "entries")}
}

func entriesFromMaps(data map[string]any, name string) (all []entry) {
	list, _ := data[name].([]any)
	for _, element := range list {
		if m, ok := element.(map[string]any); ok {
			text, _ := m["text"].(string)
			all = append(all, entry{Text: text})
		}
	}
	return all
}

type talks struct{ client *firestore.Client }

func (s *talks) get(ctx context.Context, id string) (*talk, error) {
	doc, err := s.client.Collection("talks").Doc(id).Get(ctx)
	if err != nil {
		return nil, err
	}
	t := talkFromMap(doc.Data())
	return &t, nil
}

func (s *talks) save(ctx context.Context, t talk) error {
	data := talkToMap(t)
	_, err := s.client.Collection("talks").Doc(t.ID).Set(ctx, data)
	return err
}

func (s *talks) say(w http.ResponseWriter, r *http.Request) {
	t, err := s.get(r.Context(), r.FormValue("id"))
	if err != nil {
		return
	}
	t.Entries = append(t.Entries, entry{Text: r.FormValue("text")})
	s.save(r.Context(), *t)
}

func (s *talks) mark(w http.ResponseWriter, r *http.Request) {
	s.client.Collection("talks").Doc(r.FormValue("id")).Update(r.Context(), []firestore.Update{
		{Path: "viewers", Value: firestore.ArrayUnion(r.FormValue("viewer"))},
	})
}

// An answer is a map too, but nothing stores it.
type answer struct {
	Title string   `json:"title"`
	Lines []string `json:"lines"`
}

func answerToMap(a answer) map[string]any {
	return map[string]any{"title": a.Title, "lines": a.Lines}
}

func (s *talks) list(w http.ResponseWriter, r *http.Request) map[string]any {
	t, err := s.get(r.Context(), r.FormValue("id"))
	if err != nil {
		return nil
	}
	a := answer{Title: t.ID}
	for _, e := range t.Entries {
		a.Lines = append(a.Lines, e.Text)
	}
	return answerToMap(a)
}
