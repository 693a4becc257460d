package main

import (
	"net/url"

	"github.com/spf13/cobra"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
)

const openapiHelp = `usage: mockserver openapi [flags]

Prints the API document, OpenAPI 3.1 as JSON, that a server answers at /openapi.json: every
path, parameter, status and header, with the schemas and with examples that the server made.
The same schema files give the same bytes.
`

type openapiFlags struct {
	url, schemas string
	others       []string
}

func openapiCommand(t terminal) *cobra.Command {
	var f openapiFlags
	command := newCommand("openapi [flags]", "print the API document without a server", openapiHelp)
	flags := command.Flags()
	flags.StringVar(&f.url, "url", "http://localhost:8080", "put `ADDRESS` into the document as the address of the server")
	flags.StringVar(&f.schemas, "schemas", "", schemasUsage)
	command.RunE = func(command *cobra.Command, arguments []string) error {
		f.others = arguments
		if err := f.check(); err != nil {
			return err
		}
		return printOpenAPI(f, t)
	}
	return command
}

// check refuses an address that no server has.
func (f *openapiFlags) check() error {
	if len(f.others) > 0 {
		return usage.Errorf("%q is one argument too many; the document goes to standard output", f.others[0])
	}
	address, err := url.Parse(f.url)
	if err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" || address.RawQuery != "" || address.Fragment != "" {
		return usage.Errorf("--url is %q; it must be an address such as https://mock.example", f.url)
	}
	return nil
}

// printOpenAPI prints the API document.
func printOpenAPI(f openapiFlags, t terminal) error {
	overlay, err := openSchemas(f.schemas)
	if err != nil {
		return err
	}
	server, err := mockserver.New(mockserver.Options{Schemas: overlay})
	if err != nil {
		return err
	}
	defer server.Close()
	document, err := server.OpenAPI(f.url)
	if err != nil {
		return err
	}
	_, err = t.out.Write(document)
	return err
}
