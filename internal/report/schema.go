package report

import _ "embed"

//go:embed report.schema.json
var schema []byte

// Schema returns the JSON Schema of the json format.
func Schema() []byte { return schema }
