package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/actions"
)

// action is a built-in with the schema of its arguments.
type action struct {
	actions.Builtin
	arguments schema
}

// identifiers are all that it answers to.
func (a *action) identifiers() []string {
	if a.Neutral == "" {
		return []string{a.Identifier}
	}
	return []string{a.Identifier, a.Neutral}
}

// schema is a JSON Schema as far as those of arguments go. A keyword that is not here is an error, so that none is left out of what
// is generated without anybody noticing.
type schema struct {
	Draft       json.RawMessage `json:"$schema"`
	ID          json.RawMessage `json:"$id"`
	Comment     json.RawMessage `json:"$comment"`
	Title       string          `json:"title"`
	Description string          `json:"description"`
	Type        words           `json:"type"`
	Enum        []string        `json:"enum"`
	Required    []string        `json:"required"`
	Properties  properties      `json:"properties"`
	Items       *schema         `json:"items"`
	PrefixItems []schema        `json:"prefixItems"`
	MinItems    int             `json:"minItems"`
	MaxItems    int             `json:"maxItems"`
	MinLength   int             `json:"minLength"`
	Default     json.RawMessage `json:"default"`
	Examples    json.RawMessage `json:"examples"`
	Not         json.RawMessage `json:"not"` // says more than a type can
}

// properties are in the order of the file.
type properties []property

type property struct {
	name string
	schema
}

func (p *properties) UnmarshalJSON(data []byte) error {
	decoder := strict(data)
	if _, err := decoder.Token(); err != nil { // the brace
		return err
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return err
		}
		next := property{name: fmt.Sprint(name)}
		if err := decoder.Decode(&next.schema); err != nil {
			return fmt.Errorf("%s: %w", next.name, err)
		}
		*p = append(*p, next)
	}
	return nil
}

// words are one word or a list of them.
type words []string

func (w *words) UnmarshalJSON(data []byte) error {
	if data[0] == '[' {
		return json.Unmarshal(data, (*[]string)(w))
	}
	*w = words{""}
	return json.Unmarshal(data, &(*w)[0])
}

func strict(data []byte) *json.Decoder {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	return decoder
}

// read gives the built-ins with their schemas, and refuses a schema of arguments that no built-in has.
func read(module string) ([]action, error) {
	folder := filepath.Join(module, "schemas", "actions")
	const ending = ".arguments.json"
	var list []action
	var known []string
	for _, builtin := range actions.Builtins() {
		a := action{Builtin: builtin}
		known = append(known, a.Identifier+ending)
		data, err := os.ReadFile(filepath.Join(folder, a.Identifier+ending))
		if err != nil {
			return nil, fmt.Errorf("%s has no schema of its arguments: %w", a.Identifier, err)
		}
		if err := strict(data).Decode(&a.arguments); err != nil {
			return nil, fmt.Errorf("schemas/actions/%s%s: %w: this generator must be taught what it means", a.Identifier, ending, err)
		}
		list = append(list, a)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		if name := entry.Name(); strings.HasSuffix(name, ending) && !slices.Contains(known, name) {
			return nil, fmt.Errorf("schemas/actions/%s: actions/builtin.go has no built-in of this name", name)
		}
	}
	return list, nil
}
