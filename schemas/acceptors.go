package schemas

import (
	_ "embed"
	"encoding/json"

	"github.com/rehearsal-sdk/rehearsal/schemas/acceptor"
)

// The acceptors of the embedded requests are written down, so that a program that has just started need not compile
// a schema to say yes to what conforms. A test writes them.

//go:embed acceptors.json
var acceptorsWritten []byte

// writtenAcceptor is what is written down of a request schema. It is good while the schemas of its interface have
// the digest.
type writtenAcceptor struct {
	Digest string          `json:"digest"`
	Rules  json.RawMessage `json:"rules"`
}

// Acceptor says yes to payloads of an export that conform to its request schema; nil for a schema that acceptors do
// not know.
func (l *Library) Acceptor(export Export) *acceptor.Acceptor {
	type all struct{}
	type key struct{ digest, request string }
	return Derived(l, key{export.Digest, export.Request}, func() *acceptor.Acceptor {
		written := Derived(l, all{}, func() (known map[string]writtenAcceptor) {
			if err := json.Unmarshal(acceptorsWritten, &known); err != nil {
				return nil
			}
			return known
		})[export.Request]
		if written.Digest == export.Digest {
			if made, err := acceptor.Read(written.Rules); err == nil {
				return made
			}
		}
		made, err := acceptor.Compile(l.Schema(export.Request))
		if err != nil {
			return nil
		}
		return made
	})
}
