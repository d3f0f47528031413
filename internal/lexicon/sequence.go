package lexicon

import "slices"

// sequenceWords name lists in which it matters what comes after what, so that
// the same thing may come again.
var sequenceWords = []string{
	"playlist", "route", "cart", "basket", "queue", "track", "path", "sequence", "schedule", "itinerary", "timeline", "trip", "stop",
	"deck", "hand", "lineup", "move", "step", "turn", "waypoint", "rotation", "program", "slot", "history", "log", "item", "line", "card",
}

// Sequence reports whether a name speaks of a sequence, or of a record of what
// happened: in such a list the same thing may come again.
func (l *Lexicon) Sequence(name string) bool {
	return l.Has(HistoricalParent, name) || slices.ContainsFunc(Tokens(name), func(token string) bool {
		return slices.Contains(sequenceWords, Singular(token))
	})
}
