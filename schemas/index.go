package schemas

import (
	_ "embed"
	"encoding/json"
	"sync"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas/dialect"
)

// The index says what the embedded files say together, so that a program need not compile them all before it
// can do anything. A test writes it, from files that it has checked and compiled.

//go:embed index.json
var indexed []byte

// index is how the facts of the embedded files are written down. It is good while the files have its checksum.
type index struct {
	Digest     string                   `json:"digest"`
	Checksum   uint32                   `json:"checksum"`
	Exports    []indexedExport          `json:"exports"`
	Endpoints  []indexedEndpoint        `json:"endpoints"`
	Interfaces []indexedInterface       `json:"interfaces"`
	Refusals   map[string][]ErrorBranch `json:"refusals"`
}

// The members below are those that a file does not say, or says otherwise.
type (
	indexedExport struct {
		Export
		Output    string        `json:"output"`
		Digest    string        `json:"digest"`
		Lookback  time.Duration `json:"lookback"`
		Example   string        `json:"example"`
		RateLimit *RateLimit    `json:"rateLimit,omitempty"`
	}
	indexedEndpoint struct {
		Endpoint
		Response string `json:"response"`
	}
	indexedInterface struct {
		dialect.Interface
		File      string        `json:"file"`
		Download  string        `json:"download"`
		Retention time.Duration `json:"retention"`
	}
)

// openEmbedded takes the facts from the index; files that it is not about, since somebody has changed them, are checked and compiled.
func openEmbedded() (*Library, error) {
	sources := map[string][]byte{}
	if err := ReadFiles(files, sources); err != nil {
		return nil, err
	}
	var written index
	if err := json.Unmarshal(indexed, &written); err != nil || written.Checksum != checksum(sources) {
		return build(sources, nil)
	}
	l := newLibrary(sources)
	l.facts = facts{digest: written.Digest, refusals: written.Refusals}
	for _, each := range written.Interfaces {
		each.Interface.File, each.Interface.Retention, each.Interface.Download = each.File, each.Retention, each.Download
		l.interfaces = append(l.interfaces, each.Interface)
	}
	for _, each := range written.Exports {
		each.Export.Output, each.Export.Digest, each.Export.Lookback, each.Export.Example, each.Export.RateLimit = each.Output, each.Digest,
			each.Lookback, each.Example, each.RateLimit
		each.Speaks = l.interfaceOf(each.Interface)
		l.exports = append(l.exports, each.Export)
	}
	for _, each := range written.Endpoints {
		each.Endpoint.Response = each.Response
		for i := range each.Query {
			each.Query[i].Schema = sync.OnceValue(func() *jsonschema.Schema { return l.querySchema(each.Endpoint, i) })
		}
		l.endpoints = append(l.endpoints, each.Endpoint)
	}
	return l, nil
}

// querySchema is the schema of a query parameter of an endpoint, as its file has it.
func (l *Library) querySchema(endpoint Endpoint, parameter int) *jsonschema.Schema {
	for _, compiled := range KeywordsOf(l.Schema(endpoint.Response)).Endpoints {
		if compiled.Name == endpoint.Name {
			return compiled.Query[parameter].Schema()
		}
	}
	return nil // the index is about these files
}
