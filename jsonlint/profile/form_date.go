package profile

import (
	"bytes"
	"sync"
	"unicode/utf8"
)

// Dates and times as people write them: 3. Oktober 2021, October 03, 2021,
// 03-10-2021, 14:05 p. m. Names of months and days are those of the Unicode CLDR
// (https://cldr.unicode.org) for a handful of languages, without accents.
var (
	monthNames = wordSet(
		"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
		"jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
		"januar", "februar", "märz", "maerz", "mai", "juni", "juli", "oktober", "dezember", "okt", "dez", "mrz",
		"enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "setiembre", "octubre", "noviembre", "diciembre",
		"ene", "abr", "ago", "dic",
		"janvier", "février", "fevrier", "mars", "avril", "juin", "juillet", "août", "aout", "septembre", "octobre", "novembre", "décembre", "decembre",
		"janv", "févr", "avr", "juil", "déc",
		"gennaio", "febbraio", "aprile", "maggio", "giugno", "luglio", "settembre", "ottobre", "dicembre", "gen", "mag", "giu", "lug", "set", "ott",
		"janeiro", "fevereiro", "março", "maio", "junho", "julho", "setembro", "outubro", "novembro", "dezembro", "fev", "out",
		"januari", "februari", "maart", "augustus")
	dayNames = wordSet(
		"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "mon", "tue", "tues", "wed", "thu", "thur", "thurs", "fri", "sat", "sun",
		"montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonnabend", "sonntag", "mo", "di", "mi", "do", "fr", "sa", "so",
		"lunes", "martes", "miércoles", "miercoles", "jueves", "viernes", "sábado", "sabado", "domingo",
		"lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche",
		"lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica")
	halfDays  = wordSet("am", "pm", "a.m", "p.m", "a", "p", "m", "h", "hs", "hrs", "uhr")
	dateWords = wordSet("de", "del", "of", "the", "at", "um", "den", "le", "à", "a", "las", "los", "el", "gmt", "utc", "-", "–")
)

// wordSet returns a function that makes a set on first use.
func wordSet(words ...string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := map[string]bool{}
		for _, w := range words {
			set[w] = true
		}
		return set
	})
}

// Bounds on the bytes of a date and of a word in it. The shortest time has
// three digits.
const (
	longestDate = 48
	longestWord = 16
	fewestDigit = 3
)

// spelledDate returns the form of a date or time written for people. ok is
// false if the text is not one. Every word has to be part of it.
func spelledDate(s []byte) (f Form, ok bool) {
	if len(s) > longestDate || countDigits(s) < fewestDigit {
		return 0, false
	}
	var words dateWordCount
	var buf [longestWord]byte
	for len(s) > 0 {
		end := bytes.IndexAny(s, " ,\t\u00a0\u202f")
		if end < 0 {
			end = len(s)
		}
		w := s[:end]
		_, size := utf8.DecodeRune(s[end:])
		s = s[end+size:]
		for len(w) > 0 && w[len(w)-1] == '.' {
			w = w[:len(w)-1]
		}
		if len(w) > longestWord {
			return 0, false
		}
		if !words.add(lowerWord(buf[:0], w)) {
			return 0, false
		}
	}
	return words.form()
}

// A dateWordCount counts the words of a date by their meaning.
type dateWordCount struct{ numeric, months, years, days, times int }

// add counts a lower-case word. It returns false if the word cannot be part of
// a date.
func (n *dateWordCount) add(w []byte) bool {
	switch {
	case len(w) == 0:
	case isNumericDate(w):
		n.numeric++
	case isClock(w):
		n.times++
	case isDigit(w[0]):
		switch digits := leadingDigits(w); {
		case digits == 4 && len(w) == 4:
			n.years++
		case digits <= 2 && ordinal(w[digits:]):
			n.days++
		default:
			return false
		}
	case monthNames()[string(w)]:
		n.months++
	case !dayNames()[string(w)] && !halfDays()[string(w)] && !dateWords()[string(w)] && !isOffset(w):
		return false
	}
	return true
}

// form returns the form of a date made of these words. ok is false if they do
// not make one.
func (n *dateWordCount) form() (f Form, ok bool) {
	switch {
	case n.times > 1 || n.numeric+n.months > 1 || n.years > 1 || n.days > 1 || n.numeric == 1 && n.years+n.days > 0:
		return 0, false
	case n.numeric == 1 && n.times == 1:
		return FormLocalDateTime, true
	case n.numeric == 1:
		return FormSlashDate, true
	case n.months == 1 && n.years == 1:
		return FormLongDate, true
	case n.times == 1 && n.months+n.years+n.days == 0:
		return FormTime, true
	}
	return 0, false
}

func countDigits(s []byte) (n int) {
	for _, c := range s {
		if isDigit(c) {
			n++
		}
	}
	return n
}

// lowerWord appends a word with its ASCII capitals in lower case.
func lowerWord(buf, w []byte) []byte {
	for _, c := range w {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		buf = append(buf, c)
	}
	return buf
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func leadingDigits(s []byte) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

// ordinal reports whether s may follow the number of a day.
func ordinal(s []byte) bool {
	switch string(s) {
	case "", "st", "nd", "rd", "th", "er", "º", "°":
		return true
	}
	return false
}

// isNumericDate reports whether a word is a day, a month and a year in digits:
// 3-10-2021, 03.10.21, 2021/10/03.
func isNumericDate(s []byte) bool {
	var parts [3]int
	at := 0
	for i := range parts {
		n := leadingDigits(s[at:])
		if n == 0 || n == 3 || n > 4 {
			return false
		}
		parts[i] = n
		at += n
		if i < 2 {
			if at == len(s) || s[at] != '.' && s[at] != '/' && s[at] != '-' || i == 1 && s[at] != s[parts[0]] {
				return false
			}
			at++
		}
	}
	short := func(n int) bool { return n <= 2 }
	return at == len(s) && short(parts[1]) && (parts[0] == 4 && short(parts[2]) || short(parts[0]) && parts[2] >= 2) && plausibleDate(s, parts)
}

// plausibleDate reports whether the numbers can be a month and a day, unlike
// those of a version number (1.20.4011).
func plausibleDate(s []byte, parts [3]int) bool {
	number := func(at, n int) (v int) {
		for _, c := range s[at : at+n] {
			v = 10*v + int(c-'0')
		}
		return v
	}
	a, b, c := number(0, parts[0]), number(parts[0]+1, parts[1]), number(parts[0]+parts[1]+2, parts[2])
	if parts[0] == 4 {
		a, c = c, a
	}
	year := parts[0] == 4 || parts[2] == 4
	return min(a, b) >= 1 && min(a, b) <= 12 && max(a, b) <= 31 && (!year || c >= 1000 && c < 3000)
}

// isClock reports whether a word is a time of day: 14:05, 2:05:30pm.
func isClock(s []byte) bool {
	n := leadingDigits(s)
	if n == 0 || n > 2 || len(s) < n+3 || s[n] != ':' || !isDigit(s[n+1]) || !isDigit(s[n+2]) {
		return false
	}
	rest := s[n+3:]
	if len(rest) >= 3 && rest[0] == ':' && isDigit(rest[1]) && isDigit(rest[2]) {
		rest = rest[3:]
		if len(rest) > 1 && rest[0] == '.' && isDigit(rest[1]) {
			rest = rest[1+leadingDigits(rest[1:]):]
		}
	}
	hour, minute := 10*int(s[0]-'0')*(n-1)+int(s[n-1]-'0'), int(s[n+1]-'0')
	return hour <= 24 && minute <= 5 && (len(rest) == 0 || halfDays()[string(rest)] || string(rest) == "z")
}

// isOffset reports whether a word is an offset from UTC: +02:00, -0500.
func isOffset(s []byte) bool {
	if len(s) < 3 || s[0] != '+' && s[0] != '-' {
		return false
	}
	for _, c := range s[1:] {
		if !isDigit(c) && c != ':' {
			return false
		}
	}
	return true
}

// LocalOrder returns how a date in digits is written, with its separator, as
// far as its numbers show: "d/m/y", "m/d/y", "d.m.y". It is "" for dates that
// may be either.
func LocalOrder(s []byte) string {
	if i := bytes.IndexAny(s, " ,"); i > 0 {
		s = s[:i]
	}
	n := leadingDigits(s)
	if n == 0 || n > 2 || len(s) < n+2 {
		return ""
	}
	second := s[n+1 : n+1+leadingDigits(s[n+1:])]
	if rest := s[n+1+len(second):]; !bytes.ContainsAny(s[n:n+1], "/.-") || len(rest) == 0 || rest[0] != s[n] {
		return "" // 17 June, 13–15
	}
	over := func(part []byte) bool { return len(part) == 2 && string(part) > "12" }
	switch sep := string(s[n : n+1]); {
	case over(s[:n]) && !over(second):
		return "d" + sep + "m" + sep + "y"
	case over(second) && !over(s[:n]):
		return "m" + sep + "d" + sep + "y"
	}
	return ""
}
