package model

import (
	"math"

	"github.com/shapevet/shapevet/jsonlint/profile"
)

// An explanation says which value of a field goes with which outcome, such as a
// kind of object or the type of a neighbour. It is worth the bits that it saves
// in writing down the outcomes, minus a price for each value it uses: pointing
// at one of n objects with the value takes log2(n) bits. (The two-part code of
// Rissanen, "Modeling by shortest data description", Automatica 14, 1978.)
//
// Convincing is the gain from which an explanation counts: it is then 20 times
// as likely as chance.
var Convincing = math.Log2(20)

// Gain returns what an explanation saves minus its cost, in bits. counts has a
// row per value and a column per outcome. news is the number of objects that
// add information: a value repeated because the same address is in many orders
// counts once. candidates is the number of fields tried, because choosing among
// them has a price too.
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

// entropyBits returns the length, in bits, of the shortest code for the
// outcomes of the objects, given the counts.
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

// PresenceBits returns the length, in bits, of the code that says which of
// total objects have a field, when having of them do. The code is that of
// Krichevsky and Trofimov ("The performance of universal encoding", IEEE
// Transactions on Information Theory 27, 1981). It needs neither number
// beforehand, which costs about half of log2(total) bits per field and kind.
func PresenceBits(having, total int64) float64 {
	a, _ := math.Lgamma(float64(having) + 0.5)
	b, _ := math.Lgamma(float64(total-having) + 0.5)
	n, _ := math.Lgamma(float64(total) + 1)
	return (math.Log(math.Pi) + n - a - b) / math.Ln2
}

// BySlip returns the log2 of the odds between two reasons why missing of total
// objects lack a field: somebody forgot it, which happens about once in 200
// times, or it is optional, so that any share may lack it. It returns 0 without
// objects.
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

const slips = 200 // fields per forgotten one

// DistinctByAccident returns the probability that n numbers are all different
// if each is one of values equally likely values, at least n.
func DistinctByAccident(n int64, values float64) float64 {
	if float64(n)*float64(n) < 0.002*values {
		return 1 // nearly, and the terms below are too large to distinguish
	}
	ways, _ := math.Lgamma(values + 1)
	rest, _ := math.Lgamma(values - float64(n) + 1)
	return math.Exp(ways - rest - float64(n)*math.Log(values))
}

// PartedByAccident returns the probability that chosen objects, chosen at
// random, are exactly those with some of a field's values, while no other
// object has these values. sizes are the numbers of objects with each value.
// (It is the share of choices for which that holds; Fisher, "The design of
// experiments", 1935, chapter 2.)
func PartedByAccident(sizes []int64, chosen int64) float64 {
	total := int64(0)
	for _, n := range sizes {
		total += n
	}
	chosen = min(chosen, total-chosen)
	if chosen > 200 {
		return 0 // no field considered has enough values
	}
	ways := make([]float64, chosen+1) // ways to choose that many objects by whole values
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

// Tells reports whether the values at a node can say what an object is: words,
// flags, small numbers. Ids, dates, addresses, sentences and fractions naturally
// differ for every object, and a few objects that share one share an import or an
// owner rather than a kind.
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
	return 2*individual <= n.Types[profile.String] && !sentences(n)
}

// momentFirst is the number of seconds from 1970 to 2000. Numbers that large
// are times or generated ids.
const momentFirst = 946_684_800

var individualForms = []profile.Form{
	profile.FormHex24, profile.FormHex, profile.FormUUID, profile.FormRandom, profile.FormDate, profile.FormDateTimeZone, profile.FormSpacedTime, profile.FormDateTime,
	profile.FormSlashDate, profile.FormLocalDateTime, profile.FormLongDate, profile.FormRFC1123, profile.FormTime, profile.FormEmail, profile.FormDecimal,
}
