package exportapi

import (
	_ "embed"
	"encoding/json"
	"sync"

	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/acceptor"
)

// The acceptors of the embedded requests are written down, so that a server that has just started need not compile
// a schema to say yes to what conforms. A test writes them.

//go:embed acceptors.json
var writtenAcceptors []byte

// writtenAcceptor is what is written down of a request schema. It is good while the schemas of its interface have
// the digest.
type writtenAcceptor struct {
	Digest string          `json:"digest"`
	Rules  json.RawMessage `json:"rules"`
}

// acceptorsOf are those of the request schemas, each made when a payload first comes; nil for one that acceptors do not
// know. The servers of a library share them.
func acceptorsOf(library *schemas.Library) map[string]func() *acceptor.Acceptor {
	type key struct{ request string }
	found := map[string]func() *acceptor.Acceptor{}
	for _, export := range library.Exports() {
		found[export.Request] = sync.OnceValue(func() *acceptor.Acceptor {
			return schemas.Derived(library, key{export.Request}, func() *acceptor.Acceptor { return acceptorOf(library, export) })
		})
	}
	return found
}

func acceptorOf(library *schemas.Library, export schemas.Export) *acceptor.Acceptor {
	type key struct{}
	written := schemas.Derived(library, key{}, func() (known map[string]writtenAcceptor) {
		if err := json.Unmarshal(writtenAcceptors, &known); err != nil {
			return nil
		}
		return known
	})[export.Request]
	if written.Digest == export.Digest {
		if made, err := acceptor.Read(written.Rules); err == nil {
			return made
		}
	}
	made, err := acceptor.Compile(library.Schema(export.Request))
	if err != nil {
		return nil
	}
	return made
}
