package api

import (
	"fmt"
	"sync"

	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/acceptor"
)

// Payload reads the members of a creation payload that its schema accepts. A
// path names a member, or one inside another.
type Payload interface {
	// String is a member that is a string, and whether there is one.
	String(path ...string) (string, bool)
	// Strings are the items of a list of strings; nil without the list.
	Strings(path ...string) []string
	// Has says whether the member is there, even as null.
	Has(path ...string) bool
}

// Members is a decoded payload.
type Members map[string]any

func (m Members) find(path []string) (value any, there bool) {
	value = map[string]any(m)
	for _, name := range path {
		object, _ := value.(map[string]any)
		if value, there = object[name]; !there {
			return nil, false
		}
	}
	return value, true
}

// String is a member that is a string, and whether there is one.
func (m Members) String(path ...string) (string, bool) {
	value, _ := m.find(path)
	text, is := value.(string)
	return text, is
}

// Strings are the items of a list of strings; nil without the list.
func (m Members) Strings(path ...string) (texts []string) {
	value, _ := m.find(path)
	items, _ := value.([]any)
	for _, item := range items {
		if text, is := item.(string); is {
			texts = append(texts, text)
		}
	}
	return texts
}

// Has says whether the member is there, even as null.
func (m Members) Has(path ...string) bool {
	_, there := m.find(path)
	return there
}

// distinct drops repeats; the first of each stays (export API section 2.1).
func distinct(texts []string) []string {
	kept := texts[:0]
	seen := make(map[string]struct{}, min(len(texts), 64))
	for _, text := range texts {
		if _, repeat := seen[text]; !repeat {
			seen[text] = struct{}{}
			kept = append(kept, text)
		}
	}
	return kept
}

// payload is what a creation asks for: of which export, and its members. Nearly
// every honest body is accepted in one pass; the others are decoded and
// validated, which alone refuses and explains. The payload lives in document
// or beside it, so it must not outlive the document.
func (s *Service) payload(exports []schemas.Export, data []byte, document *acceptor.Document) (schemas.Export, Payload, error) {
	for _, export := range exports {
		if checker := s.acceptors[export.Request]; checker != nil && checker.Accept(data, document) {
			return export, document, nil
		}
	}
	value, err := decode(data)
	if err != nil {
		return schemas.Export{}, nil, err
	}
	export, err := s.library.Choose(exports, value)
	if err != nil {
		return schemas.Export{}, nil, refuseInvalid(err)
	}
	if err := s.library.Validate(export.Request, value); err != nil {
		return schemas.Export{}, nil, refuseInvalid(err)
	}
	members, is := value.(map[string]any)
	if !is {
		return schemas.Export{}, nil, fmt.Errorf("schema %s accepts a payload that is no object", export.Request)
	}
	return export, Members(members), nil
}

// newAcceptors compiles an acceptor of every request schema. A schema that the
// acceptor does not know has none: its payloads take the longer way.
func newAcceptors(library *schemas.Library) map[string]*acceptor.Acceptor {
	if embedded, err := schemas.Embedded(); err == nil && library == embedded {
		return embeddedAcceptors()
	}
	return compileAcceptors(library)
}

// embeddedAcceptors are compiled once, as the embedded schemas are: a test that
// starts a server of its own should not wait for them. They are never changed.
var embeddedAcceptors = sync.OnceValue(func() map[string]*acceptor.Acceptor {
	library, err := schemas.Embedded()
	if err != nil {
		return nil
	}
	return compileAcceptors(library)
})

func compileAcceptors(library *schemas.Library) map[string]*acceptor.Acceptor {
	made := map[string]*acceptor.Acceptor{}
	for _, export := range library.Exports() {
		if checker, err := acceptor.Compile(library.Schema(export.Request)); err == nil {
			made[export.Request] = checker
		}
	}
	return made
}
