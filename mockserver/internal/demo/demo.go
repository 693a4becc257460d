// Package demo holds the demo credentials: the keys that a server accepts unless it is given others, and that every example uses.
package demo

//go:generate go run ./generate ../../../web/playground/src/exports/api/demo.ts

const (
	// CompanyKey is the company REST API key, of the header X-Authorization.
	CompanyKey = "rest_demo"
	// LiveKey and DevKey are application API keys, of legacy paths.
	LiveKey = "live_demo"
	DevKey  = "dev_demo"
	// ProjectKey is the project key, of the header X-Service-Project, and Token the bearer token that opens it.
	ProjectKey = "project_demo"
	Token      = "token_demo"
)
