module github.com/shapevet/shapevet/integration/ci

go 1.26.0

require (
	github.com/goccy/go-yaml v1.19.2
	github.com/joshdk/go-junit v1.0.0
	github.com/reviewdog/reviewdog v0.21.1
	github.com/santhosh-tekuri/jsonschema/v5 v5.3.1
	github.com/stretchr/testify v1.12.1
	golang.org/x/mod v0.35.0
)

require (
	github.com/haya14busa/go-sarif v0.0.0-20240630170108-a3ba8d79599f // indirect
	github.com/reviewdog/errorformat v0.0.0-20260721110140-13bff69235f3 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
)
