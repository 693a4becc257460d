package schemas

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas/dialect"
	"github.com/rehearsal-sdk/rehearsal/schemas/internal/jsonpointer"
)

// Interfaces returns how the interfaces speak, by their names. The caller owns the slice, and must not change what its elements hold.
func (l *Library) Interfaces() []dialect.Interface { return slices.Clone(l.interfaces) }

// interfaceOf is the interface of a name; nil without one.
func (l *Library) interfaceOf(name string) *dialect.Interface {
	at := slices.IndexFunc(l.interfaces, func(i dialect.Interface) bool { return i.Name == name })
	if at < 0 {
		return nil
	}
	return &l.interfaces[at]
}

// noInterface is the fault of a name that no interface has.
func (l *Library) noInterface(name string) string {
	var names []string
	for _, each := range l.interfaces {
		names = append(names, each.Name)
	}
	return "there is no interface " + name + ": write one of " + strings.Join(names, ", ") + ", or add a file with x-interface" +
		DidYouMean(name, names)
}

// serves tells whether an endpoint is one of its interface, as that links to files. One that is there for a kind of
// link gives way to another of its role.
func (l *Library) serves(endpoint Endpoint) bool {
	if endpoint.Link == "" {
		return true
	}
	for _, name := range l.names {
		if slices.ContainsFunc(KeywordsOf(l.Schema(name)).Endpoints, func(e Endpoint) bool {
			return e.Role == endpoint.Role && e.Interface == endpoint.Interface && e.Link == ""
		}) {
			return false
		}
	}
	return endpoint.Link == l.interfaceOf(endpoint.Interface).Files.Link
}

func (l *Library) readInterfaces(documents map[string]any) ([]dialect.Interface, error) {
	found, fault := dialect.Read(documents, l.names)
	if fault != nil {
		return nil, &FileError{fault.File, fault.Pointer, fault.Message}
	}
	return found, nil
}

// speak writes the words of the interfaces into the schema files.
func (l *Library) speak(documents map[string]any) error {
	builtIn := l.builtIn
	for _, name := range l.names {
		if root, _ := documents[name].(map[string]any); root["x-interface"] != nil || path.Base(name) == "interface.json" {
			check := checker{file: name, documents: documents, vocabulary: builtIn.Schema(vocabularyFile), explain: builtIn.problems}
			if err := check.root(); err != nil {
				return err
			}
		}
	}
	spoken, err := l.readInterfaces(documents)
	if err != nil {
		return err
	}
	words := dialect.NewWords(builtIn.interfaces, spoken)
	l.words = &words
	for _, name := range l.names {
		text := words.In(name, l.sources[name])
		if bytes.Equal(text, l.sources[name]) {
			continue
		}
		if documents[name], err = Decode(text); err != nil {
			return &FileError{File: name, Message: err.Error()}
		}
		l.sources[name] = text
	}
	l.digest = fingerprint(l.sources)
	return nil
}

// checkInterfaces checks what interfaces say of other files, and those of them.
func (l *Library) checkInterfaces() error {
	for _, each := range l.interfaces {
		if err := l.checkInterface(each); err != nil {
			return err
		}
	}
	var taken []dialect.Address
	for i, export := range l.exports {
		fault := export.Speaks.PathFault(export.Path)
		if fault == "" {
			taken, fault = dialect.Take(taken, dialect.Address{Interface: export.Speaks, Method: export.Method, Path: export.Path})
		}
		if fault != "" {
			return &FileError{File: export.Output, Pointer: "/x-export/path", Message: fault}
		}
		if other := l.sameRequest(i); other != nil {
			added, taken := export, *other
			if l.builtIn != nil && slices.ContainsFunc(l.builtIn.exports, func(e Export) bool { return e.Kind == added.Kind }) {
				added, taken = taken, added // the one that was added is to blame
			}
			return &FileError{File: added.Output, Pointer: "/x-export/path", Message: "a request to " + added.Method + " " + added.Path +
				" creates " + taken.Kind +
				" (" + taken.Output +
				") as well: write another path, or require a member in both requests whose const tells them apart, as export_type does"}
		}
		if export.Response != "" && export.Speaks.Identifiers.Created == "" {
			return &FileError{File: export.Response, Pointer: "/properties", Message: "no member has the x-source record.id: give it to the one " +
				"with the identifier of the export, by which it is looked up"}
		}
	}
	for _, name := range l.names {
		for i, endpoint := range KeywordsOf(l.Schema(name)).Endpoints {
			its := l.interfaceOf(endpoint.Interface)
			if !l.serves(endpoint) {
				continue
			}
			fault := its.PathFault(endpoint.Path)
			if fault == "" {
				taken, fault = dialect.Take(taken, dialect.Address{Interface: its, Method: endpoint.Method, Path: endpoint.Path})
			}
			if fault != "" {
				return &FileError{File: name, Pointer: fmt.Sprintf("/x-endpoints/%d/path", i), Message: fault}
			}
		}
	}
	return nil
}

// sameRequest is an export before another one that the same request creates; nil without one.
func (l *Library) sameRequest(of int) *Export {
	export := &l.exports[of]
	for i := range l.exports[:of] {
		if other := &l.exports[i]; other.Method == export.Method && other.Path == export.Path && !toldApart(l.Schema(other.Request),
			l.Schema(export.Request)) {
			return other
		}
	}
	return nil
}

// toldApart tells whether both requests require a member, with one value in one and with another in the other.
func toldApart(a, b *jsonschema.Schema) bool {
	return slices.ContainsFunc(a.Required, func(name string) bool {
		one, other := a.Properties[name], b.Properties[name]
		return one != nil && other != nil && slices.Contains(b.Required, name) && len(one.Constant) > 0 && len(other.Constant) > 0 &&
			one.Constant[0] != other.Constant[0]
	})
}

// readMembers finds the members of answers that clients need, by source.
func (l *Library) readMembers() {
	for i := range l.interfaces {
		its := &l.interfaces[i]
		its.Errors.Number, its.Errors.Name = l.MemberOf(its.Errors.Schema, "error.code"), l.MemberOf(its.Errors.Schema, "error.name")
		its.Errors.Message = l.MemberOf(its.Errors.Schema, "error.message")
		for _, export := range l.exports {
			if export.Interface == its.Name && export.Response != "" {
				its.Identifiers.Created = cmp.Or(l.MemberOf(export.Response, "record.id"), pathOf("record.id", l.sources[export.Response]))
			}
		}
	}
}

// MemberOf is the member of a schema file that prints a source; "": none does.
func (l *Library) MemberOf(file, source string) string { return l.membersOf(file)[source] }

// pathOf is the path of the member of a schema that prints a source, such as data/id; "": none does.
func pathOf(source string, schema []byte) string {
	var its struct{ Properties map[string]json.RawMessage }
	_ = json.Unmarshal(schema, &its) // true and false have none
	for _, name := range slices.Sorted(maps.Keys(its.Properties)) {
		var member struct {
			Source string `json:"x-source"`
		}
		_ = json.Unmarshal(its.Properties[name], &member)
		inner := pathOf(source, its.Properties[name])
		if member.Source == source || inner != "" {
			return strings.TrimSuffix(jsonpointer.Escape(name)+"/"+inner, "/")
		}
	}
	return ""
}

// membersOf are the members of a schema file, by their sources; one without a source prints that of the embedded file. It compiles nothing.
func (l *Library) membersOf(file string) map[string]string {
	type key struct{ membersOf string }
	return Derived(l, key{file}, func() map[string]string {
		var root struct{ Properties map[string]json.RawMessage }
		_ = json.Unmarshal(l.sources[file], &root) // every file is checked elsewhere
		members := map[string]string{}
		for _, name := range slices.Backward(slices.Sorted(maps.Keys(root.Properties))) {
			var property struct {
				Source string `json:"x-source"`
			}
			_ = json.Unmarshal(root.Properties[name], &property) // true and false have none
			if property.Source != "" {
				members[property.Source] = name
			}
		}
		if l.builtIn != nil {
			for source, name := range l.builtIn.membersOf(file) {
				if members[source] == "" && root.Properties[name] != nil && !slices.Contains(slices.Collect(maps.Values(members)), name) {
					members[source] = name
				}
			}
		}
		return members
	})
}

func (l *Library) checkInterface(its dialect.Interface) error {
	if l.Schema(its.Errors.Schema) == nil {
		return &FileError{File: its.File, Pointer: "/x-interface/errors/schema", Message: "there is no schema file " + its.Errors.Schema +
			DidYouMean(its.Errors.Schema, l.names)}
	}
	has := func(role string) bool {
		return slices.ContainsFunc(l.endpoints, func(e Endpoint) bool { return e.Role == role && e.Interface == its.Name })
	}
	if its.Files.Redirects() && !has(RoleDownload) {
		return &FileError{File: its.File, Pointer: "/x-interface/files/link", Message: "is redirect, and no x-endpoints of " + its.Name +
			" has the role download: add the endpoint that redirects, or write signed"}
	}
	if its.Callback != "" && !has(RoleStatus) {
		return &FileError{File: its.File, Pointer: "/x-interface/callback", Message: "sends the record of a lookup, and no x-endpoints of " +
			its.Name + " has the role status: add one, or leave it out"}
	}
	for _, export := range l.exports {
		if export.Interface == its.Name && export.Response == "" && export.Roles["callback"] != nil {
			return &FileError{File: export.Request, Message: "has the x-role callback, and " + export.Output +
				" sends the file at once: there is no end to tell"}
		}
		if export.Interface == its.Name && export.Response != "" && !has(RoleStatus) {
			return &FileError{File: export.Output, Pointer: "/x-export/response",
				Message: "tells of an export that nobody can look up: no x-endpoints of " +
					its.Name + " has the role status; add one, or leave response out, and the file itself is the answer"}
		}
	}
	return nil
}
