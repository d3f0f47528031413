package rulebook

import "fmt"

// Severity is how bad what a rule reports is.
type Severity uint8

const (
	Info    Severity = iota + 1 // worth knowing
	Warning                     // will hurt at scale
	Error                       // data is or will be wrong, or a hard limit breaks
)

var severityNames = [...]string{Info: "info", Warning: "warning", Error: "error"}

func (s Severity) String() string {
	if s >= Info && s <= Error {
		return severityNames[s]
	}
	return "none"
}

// ParseSeverity is the inverse of [Severity.String] for the three levels.
func ParseSeverity(name string) (Severity, error) {
	for s := Info; s <= Error; s++ {
		if severityNames[s] == name {
			return s, nil
		}
	}
	return 0, fmt.Errorf("unknown severity %q: want error, warning or info", name)
}

func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

func (s *Severity) UnmarshalText(text []byte) (err error) {
	*s, err = ParseSeverity(string(text))
	return err
}
