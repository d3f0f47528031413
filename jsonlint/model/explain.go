package model

import (
	"math"

	"github.com/shapevet/shapevet/jsonlint/profile"
)

// An explanation says which value of a field goes with which outcome: with
// which kind of object, with which type of a neighbour. It is worth the bits
// that it saves in writing the outcomes down, and it has a price for each value
// it uses: pointing at one of n objects that has the value takes log2(n) bits.
// (The two-part code of Rissanen, "Modeling by shortest data description",
// Automatica 14, 1978.)
//
// Convincing is the gain from which an explanation counts: then it is 20 times
// as likely as chance.
var Convincing = math.Log2(20)

// Gain returns what an explanation saves less what it costs, in bits. counts
// has a row for each value and a column for each outcome. news is how many of
// the objects say something new: a value that is repeated, because the same
// address stands in many orders, is one piece of news. candidates is the number
// of fields that were tried; choosing one among them has its price too.
func Gain(counts [][]int64, news float64, candidates int) float64 {
	if len(counts) == 0 {
		return 0
	}
	columns := make([]int64, len(counts[0]))
	total, within := 0.0, 0.0
	for _, row := range counts {
		for i, n := range row {
			columns[i] += n
			total += float64(n)
		}
		within += entropyBits(row)
	}
	if total == 0 {
		return 0
	}
	news = min(news, total)
	saved := (entropyBits(columns) - within) * news / total
	return saved - float64(len(counts)-1)*math.Log2(max(2, news)) - math.Log2(float64(max(1, candidates)))
}

// entropyBits is the length of the shortest code for which of the objects is of
// which outcome, in bits, when the counts are known.
func entropyBits(counts []int64) float64 {
	total := int64(0)
	for _, n := range counts {
		total += n
	}
	bits := 0.0
	for _, n := range counts {
		if n > 0 {
			bits += float64(n) * math.Log2(float64(total)/float64(n))
		}
	}
	return bits
}

// PresenceBits is the length of the code of Krichevsky and Trofimov ("The
// performance of universal encoding", IEEE Transactions on Information Theory
// 27, 1981) for which of total objects have a field that having of them have. It
// needs to know neither number beforehand: that costs about half of log2(total)
// bits for each field of each kind.
func PresenceBits(having, total int64) float64 {
	a, _ := math.Lgamma(float64(having) + 0.5)
	b, _ := math.Lgamma(float64(total-having) + 0.5)
	n, _ := math.Lgamma(float64(total) + 1)
	return (math.Log(math.Pi) + n - a - b) / math.Ln2
}

// BySlip compares two reasons for which missing of total objects lack a field:
// somebody forgot it, which happens once in 200 times or so, or it is optional,
// when any share may lack it. It returns the log2 of the odds; 0 without objects.
func BySlip(missing, total int64) float64 {
	if total == 0 {
		return 0
	}
	beta := func(a, b float64) float64 {
		x, _ := math.Lgamma(a)
		y, _ := math.Lgamma(b)
		z, _ := math.Lgamma(a + b)
		return (x + y - z) / math.Ln2
	}
	k, n := float64(missing), float64(total-missing)
	return beta(1+k, slips+n) - beta(1, slips) + PresenceBits(missing, total)
}

const slips = 200 // fields for each one that is forgotten

// DistinctByAccident is how likely n numbers are all different, if each is one of
// so many values, at least n, which are equally likely.
func DistinctByAccident(n int64, values float64) float64 {
	if float64(n)*float64(n) < 0.002*values {
		return 1 // nearly, and the terms below are too large to be told apart
	}
	ways, _ := math.Lgamma(values + 1)
	rest, _ := math.Lgamma(values - float64(n) + 1)
	return math.Exp(ways - rest - float64(n)*math.Log(values))
}

// PartedByAccident is how likely chosen objects are just those that have some of
// the values of a field, while no other object has these values, if they are
// chosen without regard to it: sizes are how many objects have each value. (The
// share of the choices for which that is so; Fisher, "The design of experiments",
// 1935, chapter 2.)
func PartedByAccident(sizes []int64, chosen int64) float64 {
	total := int64(0)
	for _, n := range sizes {
		total += n
	}
	chosen = min(chosen, total-chosen)
	if chosen > 200 {
		return 0 // no field that is looked at has values enough
	}
	ways := make([]float64, chosen+1) // to choose so many objects by whole values
	ways[0] = 1
	for _, n := range sizes {
		for i := chosen; i >= n; i-- {
			ways[i] += ways[i-n]
		}
	}
	choices := 1.0
	for i := range chosen {
		choices *= float64(total-i) / float64(i+1)
	}
	return ways[chosen] / choices
}

// Tells reports whether the values at a node are of a sort that can say what
// an object is: words, flags, small numbers. Ids, dates, addresses and
// fractions are different for every object by nature, and where a few objects
// share one they share an import or an owner and not a kind.
func Tells(n *profile.Node) bool {
	s := n.Scalars
	if s == nil || n.Types[profile.Double]+n.Types[profile.Date]+n.Types[profile.Binary]+n.Types[profile.ObjectID]+n.Types[profile.Special] > 0 {
		return false
	}
	if s.Ints > 0 && s.MaxInt >= momentFirst {
		return false
	}
	individual := int64(0)
	for _, f := range individualForms {
		k, _ := s.FormCount(f)
		individual += k
	}
	return 2*individual <= n.Types[profile.String]
}

// momentFirst is the number of seconds from 1970 to 2000: as large as numbers
// that are a time, or an id made by a machine.
const momentFirst = 946_684_800

var individualForms = []profile.Form{
	profile.FormHex24, profile.FormHex, profile.FormUUID, profile.FormDate, profile.FormDateTimeZone, profile.FormDateTime,
	profile.FormSlashDate, profile.FormLocalDateTime, profile.FormLongDate, profile.FormRFC1123, profile.FormTime, profile.FormEmail, profile.FormDecimal,
}
