package model

import "math"

// A Table counts how often a value of one field, the row, stands beside a value
// of another, the column. Values are hashes.
type Table map[uint64]map[uint64]int64

// NameOdds is the log of the odds that rows and columns are two names of one
// thing, as the id of a user and what it is called: each decides the other but
// for a few mistakes. The other explanations are that both are drawn by
// themselves, and that one depends on the other to some degree. mistakes counts
// what does not agree with the usual column of its row.
//
// A dependency with exceptions is what Kivinen and Mannila measure ("Approximate
// inference of functional dependencies from relations", Theoretical Computer
// Science 149, 1995); that it must be compared with what chance gives is shown by
// Mandros et al. ("Discovering reliable approximate functional dependencies", KDD
// 2017).
func (t Table) NameOdds() (odds float64, mistakes int64) {
	turned := Table{}
	for row, columns := range t {
		for column, n := range columns {
			if turned[column] == nil {
				turned[column] = map[uint64]int64{}
			}
			turned[column][row] = n
		}
	}
	repeats, agreeing := t.agreement()
	back, alike := turned.agreement()
	return decides(repeats, agreeing, turned.collision()) + decides(back, alike, t.collision()), repeats - agreeing
}

// agreement counts what says something of the dependency, all but the first of
// each row, and what of this is the usual column of its row.
func (t Table) agreement() (repeats, agreeing int64) {
	for _, columns := range t {
		most, total := int64(0), int64(0)
		for _, n := range columns {
			most, total = max(most, n), total+n
		}
		repeats, agreeing = repeats+total-1, agreeing+most-1
	}
	return repeats, agreeing
}

// collision is how likely two of all have the same row.
func (t Table) collision() float64 {
	all, same := 0.0, 0.0
	for _, columns := range t {
		total := 0.0
		for _, n := range columns {
			total += float64(n)
		}
		all, same = all+total, same+total*total
	}
	return same / max(1, all*all)
}

// Of the values that a thing decides, those that agree and those that do not
// before anything was counted: one in twenty is a mistake.
const decidedHits, decidedMiss = 20, 1

// decides compares that with the other explanations.
func decides(repeats, agreeing int64, chance float64) float64 {
	decided, partly, drawn := agreements(repeats, agreeing, chance)
	return decided - either(partly, drawn)
}

// HalfOdds is the log of the odds that two opposite relations are halves of
// one: both of their pairs are in each, only are in one of them, and chance is
// how likely a pair is in the other by accident. Two relations may depend on each
// other to some degree: people like answers of their own. Not so where each is
// called as what it leads to and nothing else, authors and books: then they are
// one relation as surely as names tell, and what agrees to some degree was not kept up.
func HalfOdds(both, only int64, chance float64, bare bool) float64 {
	decided, partly, drawn := agreements(both+only, both, chance)
	if bare {
		return either(decided, partly) - drawn + Sure
	}
	return decided - either(partly, drawn)
}

// ChoiceOdds is the log of the odds that references which choose from lists have
// to be in them: both are, only are not, and the lists hold more beyond that nobody
// chose. The more these are, the less the two are one relation: who leads a group may
// be none of its members.
func ChoiceOdds(both, only, beyond int64) float64 {
	decided, partly, _ := agreements(both+only, both, 0)
	return decided - partly + min(0, math.Log(float64(both)/float64(max(1, beyond))))
}

// agreements returns how likely it is, as a logarithm, that so many agree where
// one thing decides the other, where it does to some degree, and by chance.
func agreements(n, agreeing int64, chance float64) (decided, partly, drawn float64) {
	k, misses := float64(agreeing), float64(n-agreeing)
	mean := min(max(chance, leastChance), topChance)
	a, b := measured*mean, measured*(1-mean)
	return logBeta(decidedHits+k, decidedMiss+misses) - logBeta(decidedHits, decidedMiss),
		logBeta(1+k, 1+misses),
		logBeta(a+k, b+misses) - logBeta(a, b)
}

// either is the logarithm of the mean of two likelihoods.
func either(x, y float64) float64 {
	top := max(x, y)
	return top + math.Log((math.Exp(x-top)+math.Exp(y-top))/2)
}
