package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/internal/lazyregexp"
)

// YAML writes the configuration as a file that [Parse] reads back.
func (c *Config) YAML() ([]byte, error) {
	var asJSON bytes.Buffer
	encoder := json.NewEncoder(&asJSON)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(c); err != nil {
		return nil, fmt.Errorf("print the configuration: %w", err)
	}
	p := printer{decoder: json.NewDecoder(&asJSON)}
	p.decoder.UseNumber()
	if err := p.value("", ""); err != nil {
		return nil, fmt.Errorf("print the configuration: %w", err)
	}
	return p.out.Bytes(), nil
}

// A printer turns JSON into block-style YAML in the same order. It quotes
// strings that are not plain words, so that each is read back unchanged.
type printer struct {
	decoder *json.Decoder
	out     bytes.Buffer
}

// value prints the next value. before is what separates a scalar from the text
// already on the line. A list or mapping starts on a new line, indented.
func (p *printer) value(before, indent string) error {
	token, err := p.decoder.Token()
	if err != nil {
		return err
	}
	switch t := token.(type) {
	case json.Delim:
		if !p.decoder.More() {
			p.out.WriteString(before + map[json.Delim]string{'{': "{}", '[': "[]"}[t] + "\n")
		} else if err := p.members(t, before, indent); err != nil {
			return err
		}
		_, err = p.decoder.Token()
		return err
	case string:
		p.out.WriteString(before + scalar(t) + "\n")
	default:
		p.out.WriteString(before + fmt.Sprint(t) + "\n")
	}
	return nil
}

func (p *printer) members(open json.Delim, before, indent string) error {
	if before != "" {
		p.out.WriteByte('\n')
	}
	for p.decoder.More() {
		p.out.WriteString(indent)
		if open == '[' {
			p.out.WriteByte('-')
		} else {
			key, err := p.decoder.Token()
			if err != nil {
				return err
			}
			p.out.WriteString(scalar(fmt.Sprint(key)) + ":")
		}
		if err := p.value(" ", indent+"  "); err != nil {
			return err
		}
	}
	return nil
}

// plainWord matches text that every YAML parser takes for a string, except the
// reserved words.
var (
	plainWord = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_./-]*$`)
	reserved  = []string{"true", "false", "null", "yes", "no", "on", "y", "n"}
)

// scalar quotes text as JSON, which YAML 1.2 accepts.
func scalar(text string) string {
	if plainWord.MatchString(text) && !slices.Contains(reserved, strings.ToLower(text)) {
		return text
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		return `""`
	}
	return strings.TrimSuffix(b.String(), "\n")
}
