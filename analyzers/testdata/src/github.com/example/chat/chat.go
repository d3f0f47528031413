// Package chat stands for the library of a chat platform.
package chat

type User struct{ ID, Name string }

type Callback struct {
	User     User
	Mentions []User
	Value    string
}
