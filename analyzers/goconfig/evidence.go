package goconfig

import (
	"path/filepath"
	"slices"
	"time"

	"github.com/shapevet/shapevet/analyzers/guided"
	"github.com/shapevet/shapevet/internal/config"
	"github.com/shapevet/shapevet/internal/finding"
	"github.com/shapevet/shapevet/jsonlint/evidence"
)

// EvidenceFiles returns the paths of the evidence files that a configuration
// names, resolved relative to its file.
func EvidenceFiles(c *config.Config) []string {
	var paths []string
	for _, path := range c.Evidence {
		if c.Path != "" && !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(c.Path), path)
		}
		paths = append(paths, path)
	}
	return paths
}

// Evidence prepares what the analyzers compare with: the given evidence files
// and the readable schemas of collections. Without files it uses those called
// [EvidenceName] next to packages. seen is what documents of the same run show,
// and found are the findings on them; both may be nil.
func Evidence(c *config.Config, files []string, seen *evidence.File, found []finding.Finding) (*guided.Evidence, error) {
	o := guided.Options{
		Files: files, Name: EvidenceName, Seen: seen, Found: found, Documents: c.EvidenceDocs, MaxAge: c.EvidenceAge, Now: time.Now(),
	}
	if schemas := Schemas(c); schemas != nil {
		o.Declared = schemas.Declared()
	}
	return guided.New(o)
}

// namedBy lists the evidence and schema files that the configuration files
// among paths name. An invalid configuration names none; its user reports the
// error.
func namedBy(paths []string) []string {
	var found []string
	for _, path := range paths {
		if filepath.Base(path) != config.FileName {
			continue
		}
		if c, err := config.LoadFound(path); err == nil {
			found = append(append(found, c.Extended...), EvidenceFiles(c)...)
			if schemas := Schemas(c); schemas != nil {
				found = append(found, schemas.Files()...)
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}
