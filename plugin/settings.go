package plugin

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/shapevet/shapevet/analyzers/goconfig"
	"github.com/shapevet/shapevet/internal/config"
	"github.com/shapevet/shapevet/internal/suggest"
)

// keys are the keys of a configuration file that concern Go code, and config.
var keys = []string{
	"config", "version", "db", "documents", "sinks", "select", "rules", "lexicon", "ignore", "minConfidence", "strict",
	"evidence", "evidenceMaxAge", "evidenceDocuments",
}

// spelled lists the keys with capital letters, at any depth, because
// golangci-lint passes all keys in lower case.
var spelled = map[string]string{
	"minconfidence": "minConfidence", "partitionkey": "partitionKey", "evidencemaxage": "evidenceMaxAge", "evidencedocuments": "evidenceDocuments",
}

// decode reads the settings. others are files that they name.
func decode(settings any) (loaded *config.Config, others []string, err error) {
	given, err := mapping(settings)
	if err != nil {
		return nil, nil, err
	}
	if len(given) == 0 {
		loaded, err = goconfig.Nearest(".")
		return loaded, nil, err
	}
	for _, key := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(keys, key) {
			return nil, nil, fmt.Errorf("settings: unknown key %q: %s", key, cmp.Or(suggest.DidYouMean(key, keys), "use "+strings.Join(keys, ", ")))
		}
	}
	if named, ok := given["config"]; ok {
		path, isText := named.(string)
		if !isText || path == "" {
			return nil, nil, fmt.Errorf("settings: config must be the path of a %s", config.FileName)
		}
		if len(given) > 1 {
			return nil, nil, fmt.Errorf("settings: config names %s, so the other keys belong there", path)
		}
		loaded, err = config.Load(path)
		return loaded, []string{path}, err
	}
	if _, ok := given["version"]; !ok {
		given["version"] = 1
	}
	text, err := json.MarshalIndent(given, "", " ")
	if err != nil {
		return nil, nil, fmt.Errorf("settings: %w", err)
	}
	loaded, err = config.Parse("settings", text)
	return loaded, nil, err
}

// mapping converts settings of any Go type to their JSON equivalent, with the
// keys spelled as in a configuration file.
func mapping(settings any) (map[string]any, error) {
	if settings == nil {
		return nil, nil
	}
	text, err := json.Marshal(settings)
	if err != nil {
		return nil, fmt.Errorf("settings: %w", err)
	}
	var given map[string]any
	if err := json.Unmarshal(text, &given); err != nil {
		return nil, fmt.Errorf("settings: want a mapping of keys to values: %w", err)
	}
	spell(given)
	return given, nil
}

func spell(value any) {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			spell(element)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			spell(value[key])
			if proper, ok := spelled[key]; ok {
				value[proper] = value[key]
				delete(value, key)
			}
		}
	}
}
