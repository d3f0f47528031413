// Package mapping stands for a library that fills structs from maps.
package mapping

func Decode(from, into any) error { return nil }
