// Package rules lists the rules on documents. Each has a folder, named as its
// page without the dashes, and imports what rules share: check, the pass that
// a rule works in, and the packages below internal. Rules never import each
// other.
package rules

//go:generate go run ../../internal/newrule -registry
