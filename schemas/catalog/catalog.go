// Package catalog says which schema files a library has, and gives them out at an address.
package catalog

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Origin says whether a schema file is one of the embedded ones.
type Origin string

// The origins of schema files.
const (
	Embedded Origin = "embedded" // as it is in the program
	Replaced Origin = "replaced" // an overlay has another one of the same path, or an interface that speaks otherwise
	Appended Origin = "added"    // only an overlay has it
)

// File is what can be said of a schema file without reading it.
type File struct {
	// Name is the path, such as legacy/userbase.row.json.
	Name string `json:"name"`
	// ID is the $id.
	ID    string `json:"id"`
	Title string `json:"title"`
	// Kind is the export whose file the schema describes; "" for all others.
	Kind   string `json:"kind,omitempty"`
	Origin Origin `json:"origin"`
	// Digest is the hexadecimal SHA-256 of the bytes of the file.
	Digest string `json:"digest"`
}

// Files describes all files of a library, sorted by path, as they are found at base: [schemas.Base], or
// the address of a server that answers what [Located] returns.
func Files(library *schemas.Library, base string) ([]File, error) {
	embedded, err := schemas.Embedded()
	if err != nil {
		return nil, err
	}
	kinds := map[string]string{}
	for _, export := range library.Exports() {
		kinds[export.Output] = export.Kind
	}
	var files []File
	for _, name := range library.Names() {
		source := library.Source(name)
		sum := sha256.Sum256(source)
		file := File{Name: name, ID: base + name, Title: library.Schema(name).Title, Kind: kinds[name], Origin: Embedded,
			Digest: hex.EncodeToString(sum[:])}
		if original := embedded.Source(name); original == nil {
			file.Origin = Appended
		} else if !bytes.Equal(original, source) {
			file.Origin = Replaced
		}
		files = append(files, file)
	}
	return files, nil
}

// Located returns a file as it is answered at base: its $id, which it has in any case, and the absolute
// references in it begin with base instead of [schemas.Base]. nil if there is no such file.
// See docs/decisions/server.md#why-does-a-served-schema-have-the-id-of-its-server
func Located(library *schemas.Library, name, base string) []byte {
	source := library.Source(name)
	if source == nil {
		return nil
	}
	if !hasID(source) {
		_, rest, _ := bytes.Cut(source, []byte("{"))
		separator := ","
		if bytes.HasPrefix(bytes.TrimSpace(rest), []byte("}")) {
			separator = ""
		}
		source = slices.Concat([]byte(`{"$id": "`+schemas.Base+name+`"`+separator), rest)
	}
	return bytes.ReplaceAll(source, []byte(schemas.Base), []byte(escaped(base)))
}

// Bundle returns all files in one compound document (JSON Schema 2020-12, section 9.3): each is a
// resource of its own, with its $id, under $defs by its path.
func Bundle(library *schemas.Library, id, base string) ([]byte, error) {
	resources := map[string]json.RawMessage{}
	for _, name := range library.Names() {
		resources[name] = Located(library, name, base)
	}
	return json.Marshal(struct {
		Schema string                     `json:"$schema"`
		ID     string                     `json:"$id"`
		Defs   map[string]json.RawMessage `json:"$defs"`
	}{"https://json-schema.org/draft/2020-12/schema", id, resources})
}

// hasID tells whether a file writes its $id down; what it says then was checked when the library was opened.
func hasID(source []byte) bool {
	var root struct {
		ID string `json:"$id"`
	}
	return json.Unmarshal(source, &root) == nil && root.ID != ""
}

// escaped is an address as it stands between the quotes of JSON: a path may hold a quote or a backslash.
func escaped(address string) string {
	return strings.NewReplacer(`"`, "%22", `\`, "%5C").Replace(address)
}
