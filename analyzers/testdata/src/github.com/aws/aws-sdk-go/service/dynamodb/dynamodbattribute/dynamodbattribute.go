// Package dynamodbattribute stands in for the library of the same path.
package dynamodbattribute

func MarshalMap(in any) (map[string]*struct{}, error)    { return nil, nil }
func UnmarshalMap(m map[string]*struct{}, out any) error { return nil }
