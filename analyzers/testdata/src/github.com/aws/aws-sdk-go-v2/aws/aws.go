// Package aws stands in for the library of the same path.
package aws

func String(v string) *string { return &v }
