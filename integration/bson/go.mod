module github.com/shapevet/shapevet/integration/bson

go 1.26

require (
	github.com/shapevet/shapevet v0.0.0
	github.com/stretchr/testify v1.11.1
	go.mongodb.org/mongo-driver v1.17.9
)

require (
	github.com/davecgh/go-spew v1.1.1 // indirect
	github.com/pmezard/go-difflib v1.0.0 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
)

replace github.com/shapevet/shapevet => ../..
