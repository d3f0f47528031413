package model

import "math"

// A Table counts how often a value of one field (the row) occurs together with
// a value of another (the column). Values are hashes.
type Table map[uint64]map[uint64]int64

// NameOdds returns the log-odds that rows and columns are two names of one
// thing, like the id and the name of a user: each determines the other, except
// for a few mistakes. The alternatives are that the two are independent, and
// that one depends partly on the other. mistakes counts pairs that differ from
// the usual column of their row.
//
// Kivinen and Mannila measure dependencies with exceptions ("Approximate
// inference of functional dependencies from relations", Theoretical Computer
// Science 149, 1995). Mandros et al. show that the result must be compared with
// chance ("Discovering reliable approximate functional dependencies", KDD
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

// agreement counts the pairs that say something about the dependency, which are
// all but the first of each row, and how many of them have the usual column of
// their row.
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

// collision returns the probability that two pairs have the same row.
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

// decidedHits and decidedMiss are the prior counts of agreeing and other values
// where one thing determines the other: one in twenty is a mistake.
const decidedHits, decidedMiss = 20, 1

// decides compares that explanation with the others.
func decides(repeats, agreeing int64, chance float64) float64 {
	decided, partly, drawn := agreements(repeats, agreeing, chance)
	return decided - either(partly, drawn)
}

// HalfOdds returns the log-odds that two opposite relations are halves of one.
// both pairs are in each relation, only pairs are in just one, and chance is
// the probability that a pair is in the other by accident. Two relations may
// depend partly on each other: people like their own answers. That is excluded
// if each is named only after its target (bare), like authors and books: such
// relations are one as surely as names can tell, and partial agreement means
// that one half was not maintained.
func HalfOdds(both, only int64, chance float64, bare bool) float64 {
	decided, partly, drawn := agreements(both+only, both, chance)
	if bare {
		return either(decided, partly) - drawn + Sure
	}
	return decided - either(partly, drawn)
}

// ChoiceOdds returns the log-odds that references which choose from lists must
// be in them: both of them are, only are not, and the lists hold beyond more
// entries that nobody chose. The larger beyond is, the less the two are one
// relation: the leader of a group need not be a member.
func ChoiceOdds(both, only, beyond int64) float64 {
	decided, partly, _ := agreements(both+only, both, 0)
	return decided - partly + min(0, math.Log(float64(both)/float64(max(1, beyond))))
}

// agreements returns the log-likelihood that agreeing of n pairs agree if one
// thing determines the other, if it does partly, and by chance.
func agreements(n, agreeing int64, chance float64) (decided, partly, drawn float64) {
	k, misses := float64(agreeing), float64(n-agreeing)
	mean := min(max(chance, leastChance), topChance)
	a, b := measured*mean, measured*(1-mean)
	return logBeta(decidedHits+k, decidedMiss+misses) - logBeta(decidedHits, decidedMiss),
		logBeta(1+k, 1+misses),
		logBeta(a+k, b+misses) - logBeta(a, b)
}

// either returns the logarithm of the mean of two likelihoods.
func either(x, y float64) float64 {
	top := max(x, y)
	return top + math.Log((math.Exp(x-top)+math.Exp(y-top))/2)
}
