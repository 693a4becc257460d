package main

import (
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/settings"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
)

const openapiHelp = `usage: mockserver openapi [flags] [DOCUMENT]

Prints an API document as JSON: every path, parameter, status and header, with the schemas and
with examples. The same schema files give the same bytes. A server answers
each at /openapi/DOCUMENT.json, and the first at /openapi.json as well:

  client  the export API alone, OpenAPI 3.0: to generate a client from (the default)
  full    everything, OpenAPI 3.1
`

type openapiFlags struct {
	url      string
	schemas  files.Overlays
	document string
}

func openapiCommand(t terminal) *cobra.Command {
	var f openapiFlags
	command := newCommand("openapi [flags] [DOCUMENT]", "print the API document without a server", openapiHelp)
	flags := command.Flags()
	flags.StringVar(&f.url, "url", "http://localhost:8080", "put `ADDRESS` into the document as the address of the server")
	settings.RepeatedFunc(flags, "schemas", files.OverlaysUsage, f.schemas.Add)
	command.PreRunE = func(_ *cobra.Command, arguments []string) error { return f.check(arguments) }
	command.RunE = func(*cobra.Command, []string) error {
		return printOpenAPI(f, t)
	}
	return command
}

// check refuses a document that there is not, and an address that no server has.
func (f *openapiFlags) check(arguments []string) error {
	documents := mockserver.OpenAPIDocuments()
	f.document = documents[0]
	if len(arguments) > 0 {
		f.document = arguments[0]
	}
	if len(arguments) > 1 {
		return usage.Errorf("%q is one argument too many; the document goes to standard output", arguments[1])
	}
	if !slices.Contains(documents, f.document) {
		return usage.Errorf("there is no API document %q; choose from %s; it goes to standard output", f.document, strings.Join(documents, ", "))
	}
	address, err := url.Parse(f.url)
	if err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" || address.RawQuery != "" || address.Fragment != "" {
		return usage.Errorf("--url is %q; it must be an address such as https://mock.example", f.url)
	}
	return nil
}

// printOpenAPI prints the API document.
func printOpenAPI(f openapiFlags, t terminal) error {
	overlay, err := f.schemas.Open()
	if err != nil {
		return err
	}
	server, err := mockserver.New(mockserver.Options{Schemas: overlay})
	if err != nil {
		return f.schemas.Fault(err)
	}
	defer server.Close()
	document, err := server.OpenAPINamed(f.document, f.url)
	if err != nil {
		return err
	}
	_, err = t.out.Write(document)
	return err
}
