package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/internal/globs"
	"github.com/shapevet/shapevet/internal/report"
	"github.com/shapevet/shapevet/internal/suggest"
)

// maxProblems is how many problems of a file are reported at once.
const maxProblems = 50

// validate checks a document against the schema, and then what a schema cannot
// express.
func validate(d *document) error {
	c, err := compile()
	if err != nil {
		return err
	}
	var problems []finding.Problem
	if err := c.schema.Validate(d.value); err != nil {
		invalid := (*jsonschema.ValidationError)(nil)
		if !errors.As(err, &invalid) {
			return fmt.Errorf("%s: %w", d.name, err)
		}
		problems = c.explain(d, invalid, nil)
	} else {
		problems = beyondSchema(d)
	}
	if problems == nil {
		return nil
	}
	slices.SortStableFunc(problems, finding.CompareProblems)
	problems = slices.Compact(problems)
	if more := len(problems) - maxProblems; more > 0 {
		problems = append(problems[:maxProblems], finding.Problem{
			Message: fmt.Sprintf("%d more problems", more), Hint: "mend these first", Location: finding.Location{File: d.name},
		})
	}
	return &Error{problems}
}

// explain turns the leaves of a validation error, its causes, into problems.
func (c *compiled) explain(d *document, e *jsonschema.ValidationError, problems []finding.Problem) []finding.Problem {
	if len(e.Causes) > 0 {
		for _, cause := range e.Causes {
			problems = c.explain(d, cause, problems)
		}
		return problems
	}
	pointer := e.InstanceLocation
	slash := strings.LastIndexByte(e.AbsoluteKeywordLocation, '/')
	keyword := e.AbsoluteKeywordLocation[slash+1:]
	_, fragment, _ := strings.Cut(e.AbsoluteKeywordLocation[:max(slash, 0)], "#")
	around, _ := lookUp(c.source, fragment).(object)
	switch keyword {
	case "additionalProperties":
		known := keysOf(around["properties"])
		written, _ := lookUp(d.value, pointer).(object)
		for _, key := range keysOf(written) {
			if !slices.Contains(known, key) {
				place := d.at(pointer + "/" + escapePointer(key))
				problems = append(problems, d.problem(place, unknownKey(pointer, key), hint(key, known)))
			}
		}
		return problems
	case "required":
		written, _ := lookUp(d.value, pointer).(object)
		required, _ := around["required"].([]any)
		for _, key := range required {
			if _, ok := written[key.(string)]; !ok {
				problems = append(problems, d.problem(d.at(pointer), fmt.Sprintf("%s is missing", under(pointer, key.(string))), ""))
			}
		}
		return problems
	case "enum":
		var names []string
		enum, _ := around["enum"].([]any)
		for _, value := range enum {
			names = append(names, fmt.Sprint(value))
		}
		value := fmt.Sprint(lookUp(d.value, pointer))
		message := fmt.Sprintf("%s is %q", readable(pointer), value)
		if strings.HasSuffix(fragment, "/rule") {
			message = fmt.Sprintf("unknown rule %q", value)
		}
		return append(problems, d.problem(d.atValue(pointer), message, hint(value, names)))
	case "const":
		return append(problems, d.problem(d.atValue(pointer), fmt.Sprintf("%s must be %v", readable(pointer), around["const"]), ""))
	case "pattern", "minLength":
		message := readable(pointer) + " must not be empty"
		switch {
		case around["pattern"] == "^/.":
			message = readable(pointer) + " must be a path such as /postId"
		case strings.HasPrefix(pointer, "/output/"):
			message = readable(pointer) + " must be FORMAT or FORMAT=FILE"
		}
		return append(problems, d.problem(d.atValue(pointer), message, ""))
	}
	return append(problems, d.problem(d.atValue(pointer), readable(pointer)+": "+e.Message, ""))
}

// hint suggests the nearest name, or all names if there are few.
func hint(word string, names []string) string {
	if meant := suggest.DidYouMean(word, names); meant != "" {
		return meant
	}
	if len(names) == 0 {
		return ""
	}
	if len(names) <= 8 {
		return "use one of " + strings.Join(names, ", ")
	}
	return ""
}

func unknownKey(pointer, key string) string {
	segments := strings.Split(pointer, "/")
	switch {
	case pointer == "/rules":
		return fmt.Sprintf("unknown rule %q", key)
	case pointer == "/lexicon":
		return fmt.Sprintf("unknown word list %q", key)
	case len(segments) == 4 && segments[1] == "rules" && segments[3] == "thresholds":
		return fmt.Sprintf("%s has no threshold %q", segments[2], key)
	case pointer == "":
		return fmt.Sprintf("unknown key %q", key)
	}
	return fmt.Sprintf("unknown key %q in %s", key, readable(pointer))
}

// readable writes a JSON pointer as people write places in YAML.
func readable(pointer string) string {
	if pointer == "" {
		return "the configuration"
	}
	var b strings.Builder
	for i, segment := range strings.Split(pointer[1:], "/") {
		segment = pointerUnescape.Replace(segment)
		if _, err := strconv.Atoi(segment); err == nil && i > 0 {
			b.WriteString("[" + segment + "]")
			continue
		}
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(segment)
	}
	return b.String()
}

func under(pointer, key string) string {
	if pointer == "" {
		return key
	}
	return readable(pointer) + "." + key
}

// lookUp follows a JSON pointer.
func lookUp(value any, pointer string) any {
	for segment := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		if pointer == "" {
			break
		}
		segment = pointerUnescape.Replace(segment)
		switch v := value.(type) {
		case object:
			value = v[segment]
		case []any:
			i, err := strconv.Atoi(segment)
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			value = v[i]
		default:
			return nil
		}
	}
	return value
}

// beyondSchema checks what the schema cannot express: globs and output formats.
func beyondSchema(d *document) []finding.Problem {
	var problems []finding.Problem
	root, _ := d.value.(object)
	check := func(pointer string) {
		patterns, _ := lookUp(d.value, pointer).([]any)
		for i, pattern := range patterns {
			if err := globs.Check(pattern.(string)); err != nil {
				at := fmt.Sprintf("%s/%d", pointer, i)
				problems = append(problems, d.problem(d.at(at), fmt.Sprintf("%s %s: %s", readable(at), err, pattern), "close the brackets, or escape them with \\"))
			}
		}
	}
	for _, name := range keysOf(root["collections"]) {
		check("/collections/" + escapePointer(name) + "/files")
	}
	check("/docs")
	check("/exclude")
	check("/include")
	overrides, _ := root["overrides"].([]any)
	for i := range overrides {
		check(fmt.Sprintf("/overrides/%d/files", i))
	}
	outputs, _ := root["output"].([]any)
	for i, output := range outputs {
		format, _, _ := strings.Cut(output.(string), "=")
		if err := report.Known(format); err != nil {
			problems = append(problems, d.problem(d.at(fmt.Sprintf("/output/%d", i)), err.Error(), ""))
		}
	}
	return problems
}
