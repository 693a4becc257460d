package schemas

//go:generate go test -run ^TestIndex$ . -update

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"testing"
)

// TestIndex writes down what the embedded files say together, once they are checked and compiled, all of them. A library that
// takes it from the index says the same.
func TestIndex(t *testing.T) {
	sources := map[string][]byte{}
	if err := ReadFiles(files, sources); err != nil {
		t.Fatal(err)
	}
	checked, err := build(sources, nil)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(indexOf(checked)); err != nil {
		t.Fatal(err)
	}
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile("index.json", text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(text.Bytes(), indexed) {
		t.Fatal("index.json is not about these schema files: run make generate")
	}
	read, err := openEmbedded()
	if err != nil {
		t.Fatal(err)
	}
	for i, endpoint := range read.endpoints {
		for j, parameter := range endpoint.Query {
			want := checked.endpoints[i].Query[j]
			if got := parameter.Schema(); got == nil || got.Location != want.Schema().Location {
				t.Errorf("%s: the schema of %s is %v", endpoint.Name, parameter.Name, got)
			}
			endpoint.Query[j].Schema, checked.endpoints[i].Query[j].Schema = nil, nil // functions cannot be compared
		}
	}
	if !reflect.DeepEqual(read.facts, checked.facts) {
		t.Error("what is read from the index is not what was written into it")
	}
}

func indexOf(l *Library) index {
	written := index{Digest: l.digest, Checksum: checksum(l.sources), Refusals: l.refusals}
	for _, each := range l.exports {
		written.Exports = append(written.Exports, indexedExport{each, each.Output, each.Digest, each.Lookback, each.Example, each.RateLimit})
	}
	for _, each := range l.endpoints {
		written.Endpoints = append(written.Endpoints, indexedEndpoint{each, each.Response})
	}
	for _, each := range l.interfaces {
		written.Interfaces = append(written.Interfaces, indexedInterface{each, each.File, each.Download, each.Retention})
	}
	return written
}
