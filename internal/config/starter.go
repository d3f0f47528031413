package config

import (
	_ "embed"
	"slices"
)

//go:embed starter.yaml
var starter []byte

// Starter returns the commented file that `shapevet init` writes.
func Starter() []byte { return slices.Clone(starter) }
