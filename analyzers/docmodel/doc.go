// Package docmodel finds the struct types of a program that are stored in a
// document database and shows their fields the way they are stored.
//
// It infers from evidence what is stored. The best evidence is a value that
// reaches a call which writes. Values are followed through helpers,
// interfaces and generic repositories. Those who ask for documents and fields
// need not know how the evidence was found.
//
// [New] looks at a whole program at once: a type may be declared in one package
// and stored by another. [One] knows only what one package shows.
package docmodel
