// Package mock has the type that mocks embed.
package mock

type Mock struct{}

func (*Mock) Called(...any) {}
