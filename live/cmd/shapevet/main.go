// Shapevet with all databases and object stores that it can read. It checks documents in files, and Go
// code, in the same way as the program without them.
package main

import (
	"github.com/shapevet/shapevet/internal/cli"
	"github.com/shapevet/shapevet/jsonlint/source/remote"
	"github.com/shapevet/shapevet/live/cosmosdb"
	"github.com/shapevet/shapevet/live/mongodb"
	"github.com/shapevet/shapevet/live/objects"
)

func main() {
	cli.Main(remote.Openers{
		"mongodb": mongodb.Open, "mongodb+srv": mongodb.Open,
		"cosmosdb": cosmosdb.Open, "cosmosdb+http": cosmosdb.Open,
	}, objects.Stores())
}
