package exportapi

//go:generate go test -run ^TestAcceptors$ . -update

import (
	"bytes"
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/acceptor"
)

var update = flag.Bool("update", false, "write acceptors.json anew")

// TestAcceptors writes down the acceptors of the embedded requests. What is read says of every sample of every schema what the
// one says that is made of the compiled schema.
func TestAcceptors(t *testing.T) {
	library, err := schemas.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]writtenAcceptor{}
	for _, export := range library.Exports() {
		text, err := acceptor.Rules(library.Schema(export.Request))
		if err != nil {
			t.Fatal(err)
		}
		found[export.Request] = writtenAcceptor{export.Digest, text}
	}
	text, err := json.Marshal(found)
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, '\n')
	if *update {
		if err := os.WriteFile("acceptors.json", text, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(text, writtenAcceptors) {
		t.Fatal("acceptors.json is not about these schema files: run make generate")
	}
	samples := valuesOfSamples(t)
	for _, export := range library.Exports() {
		read := acceptorOf(library, export)
		compiled, err := acceptor.Compile(library.Schema(export.Request))
		if err != nil {
			t.Fatal(err)
		}
		said := map[bool]int{}
		compare := func(text []byte) {
			var document acceptor.Document
			got, want := read.Accept(text, &document), compiled.Accept(text, &document)
			if said[got]++; got != want {
				t.Errorf("%s: read %v, compiled %v: %s", export.Request, got, want, text)
			}
		}
		for file, text := range samples {
			if compare(text); path.Dir(file)+".json" != path.Join("valid", export.Request) {
				continue
			}
			for at := range min(len(text), 200) { // without each byte, and with another one
				compare(slices.Delete(slices.Clone(text), at, at+1))
				for _, other := range []byte(`"x0Z `) {
					changed := slices.Clone(text)
					changed[at] = other
					compare(changed)
				}
			}
		}
		if said[true] == 0 || said[false] == 0 {
			t.Errorf("%s: %d texts are accepted and %d are not: nothing is compared", export.Request, said[true], said[false])
		}
	}
}

// valuesOfSamples are the values of testdata, by file.
func valuesOfSamples(t *testing.T) map[string][]byte {
	t.Helper()
	found, root := map[string][]byte{}, os.DirFS("../../../schemas/testdata")
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.Contains(name, "/") {
			return err
		}
		data, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		var sample struct{ Value json.RawMessage }
		if err := json.Unmarshal(data, &sample); err != nil {
			return err
		}
		var text bytes.Buffer
		if err := json.Compact(&text, sample.Value); err != nil {
			return err
		}
		found[name] = text.Bytes()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
