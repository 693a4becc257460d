package schemas

import (
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas/internal/fingerprint"
	"github.com/rehearsal-sdk/rehearsal/schemas/internal/shelf"
)

// digestExports sums up, per interface, what the files of its exports are made from. One export draws on
// another (the attributes of a profile tell of its latest events), so they share a digest.
func (l *Library) digestExports() {
	files := map[string]map[string][]byte{}
	for _, export := range l.exports {
		into := files[export.Interface]
		if into == nil {
			into = map[string][]byte{}
			files[export.Interface] = into
		}
		for _, name := range []string{export.Request, export.Output} {
			l.gather(l.Schema(name), into, map[*jsonschema.Schema]bool{})
		}
		if !l.hasBuiltInMessages(export) {
			into[export.Output+"#/x-export"] = []byte(export.Target + "/" + export.Stream)
		}
		if otherwise := export.Speaks.Otherwise(export.Format); otherwise != "" {
			into[export.Output+"#/x-interface"] = []byte(otherwise)
		}
	}
	for i := range l.exports {
		l.exports[i].Digest = fingerprint.Of(files[l.exports[i].Interface])
	}
}

// gather adds the files of a schema and of everything below it.
func (l *Library) gather(s *jsonschema.Schema, into map[string][]byte, seen map[*jsonschema.Schema]bool) {
	if s == nil || seen[s] {
		return
	}
	seen[s] = true
	file, _ := fileAndPointer(s.Location)
	if into[file] == nil {
		into[file] = fingerprint.WithoutMessages(l.sources[file])
	}
	for below := range shelf.Below(s) {
		l.gather(below, into, seen)
	}
}
