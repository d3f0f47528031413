// Package fetch asks other services.
package fetch

func Get(url string) (status int, body []byte, err error) { return 0, nil, nil }
