// Package rules lists the rules on documents. Each has a folder, named after
// its page without dashes. Rules import check, the pass they work in, and the
// packages below internal, but never each other.
package rules

//go:generate go run ../../internal/newrule -registry
