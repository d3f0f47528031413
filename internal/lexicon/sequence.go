package lexicon

import "slices"

// sequenceWords name lists whose order matters, so that the same thing may
// repeat.
var sequenceWords = []string{
	"playlist", "route", "cart", "basket", "queue", "track", "path", "sequence", "schedule", "itinerary", "timeline", "trip", "stop",
	"deck", "hand", "lineup", "move", "step", "turn", "waypoint", "rotation", "program", "slot", "history", "log", "item", "line", "card",
}

// Sequence reports whether a name means a sequence, or a record of events. In
// such a list the same thing may repeat.
func (l *Lexicon) Sequence(name string) bool {
	return l.Has(HistoricalParent, name) || slices.ContainsFunc(Tokens(name), func(token string) bool {
		return slices.Contains(sequenceWords, Singular(token))
	})
}
