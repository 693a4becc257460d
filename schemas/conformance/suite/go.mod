module github.com/rehearsal-sdk/rehearsal/schemas/conformance/suite

go 1.26.0

require github.com/google/jsonschema-go v0.4.3
