package check

import (
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// A view determines which probes see the documents of a collection: those for
// their kind, without those that have nothing to do in a known layout.
type view struct {
	collection *model.Collection
	kinds      *model.KindReader
	byKind     [][]Probe // for the kinds met so far
	byLayout   []*layoutView
}

// A layoutView has the probes for documents of one layout.
type layoutView struct {
	layout *scan.Layout
	byKind [][]Probe
}

// A choosy probe has nothing to do in documents of some layouts.
type choosy interface {
	Probe

	// Skips reports whether visiting d, or any other document of its layout, would
	// not change the probe. It is called only for known layouts.
	Skips(d *profile.Document) bool
}

// of returns those of all probes that see a document.
func (w *view) of(all []watched, d *profile.Document) []Probe {
	kind := w.kinds.Kind(d)
	for len(w.byKind) <= kind {
		w.byKind = append(w.byKind, w.ofKind(all, len(w.byKind)))
	}
	if len(d.Records) == 0 || len(w.byKind[kind]) == 0 {
		return w.byKind[kind]
	}
	l := w.ofLayout(d.Records[0].Layout)
	for len(l.byKind) <= kind {
		l.byKind = append(l.byKind, nil)
	}
	if l.byKind[kind] == nil {
		l.byKind[kind] = present(w.byKind[kind], d)
	}
	return l.byKind[kind]
}

func (w *view) ofKind(all []watched, kind int) []Probe {
	var probes []Probe
	for _, x := range all {
		if x.entity.Collection == w.collection && x.entity.Is(kind) {
			probes = append(probes, x.probe)
		}
	}
	return probes
}

func (w *view) ofLayout(layout *scan.Layout) *layoutView {
	for int(layout.ID) >= len(w.byLayout) {
		w.byLayout = append(w.byLayout, nil)
	}
	l := w.byLayout[layout.ID]
	if l == nil || l.layout != layout {
		l = &layoutView{layout: layout}
		w.byLayout[layout.ID] = l
	}
	return l
}

// present returns the probes that have something to do in documents with d's
// layout.
func present(probes []Probe, d *profile.Document) []Probe {
	out := make([]Probe, 0, len(probes))
	for _, p := range probes {
		if c, ok := p.(choosy); !ok || !c.Skips(d) {
			out = append(out, p)
		}
	}
	return out
}
