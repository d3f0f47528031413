// Package bson is what the sample needs of the driver.
package bson

type ObjectID [12]byte
