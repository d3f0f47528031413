package check

import (
	"github.com/shapevet/shapevet/jsonlint/model"
	"github.com/shapevet/shapevet/jsonlint/profile"
	"github.com/shapevet/shapevet/jsonlint/scan"
)

// A view says which probes want to see the documents of a collection: those
// of their kind, and where the layout of a document is known only those that
// it has something for.
type view struct {
	collection *model.Collection
	kinds      *model.KindReader
	byKind     [][]Probe // as far as kinds were met
	byLayout   []*layoutView
}

// A layoutView is what there is to see in documents of one layout.
type layoutView struct {
	layout *scan.Layout
	byKind [][]Probe
}

// A choosy probe has nothing to do with documents of some layouts.
type choosy interface {
	Probe

	// skips reports whether a visit to d, and to any other document of its
	// layout, would leave the probe as it is. It is asked only if the layout is
	// known.
	Skips(d *profile.Document) bool
}

// of returns the probes, of all, that want to see a document.
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

// present returns the probes that documents of the layout of d have something
// for.
func present(probes []Probe, d *profile.Document) []Probe {
	out := make([]Probe, 0, len(probes))
	for _, p := range probes {
		if c, ok := p.(choosy); !ok || !c.Skips(d) {
			out = append(out, p)
		}
	}
	return out
}
