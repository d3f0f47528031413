module github.com/shapevet/shapevet/integration/golangci

go 1.26.0

require (
	github.com/shapevet/shapevet v0.0.0
	github.com/stretchr/testify v1.12.1
	golang.org/x/tools v0.49.0
)

require (
	github.com/gertd/go-pluralize v0.2.1 // indirect
	github.com/klauspost/cpuid/v2 v2.2.10 // indirect
	github.com/santhosh-tekuri/jsonschema/v5 v5.3.1 // indirect
	github.com/zeebo/xxh3 v1.1.0 // indirect
	go.yaml.in/yaml/v3 v3.0.6 // indirect
	golang.org/x/mod v0.39.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.37.0 // indirect
)

replace github.com/shapevet/shapevet => ../..
