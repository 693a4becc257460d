package schemas

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas/dialect"
)

// Library is a set of schema files. What it says never changes, and it is safe for concurrent use.
type Library struct {
	names    []string
	sources  map[string][]byte
	builtIn  *Library // that of the embedded files; nil: this is it
	shelf    *shelf
	derived  sync.Map       // by key, what Derived makes
	overlays overlays       // in that of the embedded files
	words    *dialect.Words // of the dialect; nil: as the embedded files have it
	facts
}

// Draft returns the library with other files, unchecked, and compiled as far as somebody asks: to try changes before [Open].
func (l *Library) Draft(files map[string][]byte) *Library {
	sources := maps.Clone(l.sources)
	for name, text := range files {
		if l.words != nil {
			text = l.words.In(name, text)
		}
		sources[name] = text
	}
	d := newLibrary(sources)
	d.builtIn, d.facts = l.builtIn, l.facts
	return d
}

// facts are what the files of a library say together.
type facts struct {
	digest    string
	exports   []Export
	endpoints []Endpoint
	// interfaces are how the interfaces speak, by name.
	interfaces []dialect.Interface
	// refusals are the errors that the error schemas of the interfaces allow, by file.
	refusals map[string][]ErrorBranch
}

// Names returns the paths of all schema files, sorted. The caller owns the slice.
func (l *Library) Names() []string { return slices.Clone(l.names) }

// Schema returns the compiled schema of a file by its path, or nil if there is none. The embedded files are
// compiled when they are first asked for.
func (l *Library) Schema(name string) *jsonschema.Schema {
	compiled, _ := l.shelf.Schema(name) // every file has compiled before: here, or when the index was written
	return compiled
}

// PropertyOrder returns the names under "properties" of a schema object in the order of its file; the compiled schema itself holds them
// in a map. It is nil for a schema without properties, or one that is not of this library. The caller must not change the slice.
func (l *Library) PropertyOrder(s *jsonschema.Schema) []string {
	if s == nil {
		return nil
	}
	file, pointer := fileAndPointer(s.Location)
	return l.shelf.Order(file, pointer+"/properties")
}

// Source returns the bytes of a file by its path, or nil if there is none. The caller must not change them.
func (l *Library) Source(name string) []byte { return l.sources[name] }

// Digest returns the hexadecimal SHA-256 over the names and bytes of all files.
func (l *Library) Digest() string { return l.digest }

// Resolve turns what a person writes into the path of a schema file: the kind of an export (userbase,
// profiles.events) stands for the schema of its file; otherwise a path, with or without .json and, where
// that is clear, without the folder. The error names likely candidates.
func (l *Library) Resolve(name string) (string, error) {
	for _, export := range l.exports {
		if export.Kind == name {
			return export.Output, nil
		}
	}
	var found []string
	for _, file := range l.names {
		short := strings.TrimSuffix(file, ".json")
		if name == file || name == short {
			return file, nil
		}
		if _, base, _ := strings.Cut(short, "/"); name != "" && base == strings.TrimSuffix(name, ".json") {
			found = append(found, file)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", fmt.Errorf("there is no schema %q: name an export (%s) or a schema file such as legacy/userbase.row%s",
			name, strings.Join(l.kinds(), ", "), DidYouMean(name, l.spellings()))
	default:
		return "", fmt.Errorf("the schema name %q fits several files: choose from %s", name, strings.Join(found, ", "))
	}
}

func (l *Library) kinds() []string {
	kinds := make([]string, 0, len(l.exports))
	for _, export := range l.exports {
		kinds = append(kinds, export.Kind)
	}
	return kinds
}

// spellings lists every name that Resolve takes.
func (l *Library) spellings() []string {
	all := l.kinds()
	for _, file := range l.names {
		short := strings.TrimSuffix(file, ".json")
		_, base, _ := strings.Cut(short, "/")
		all = append(all, short, base)
	}
	return all
}

// collect reads exports and endpoints out of the compiled files and checks what they say of other files.
func (l *Library) collect(documents map[string]any) error {
	var err error
	if l.interfaces, err = l.readInterfaces(documents); err != nil {
		return err
	}
	for _, name := range l.names {
		keywords := KeywordsOf(l.Schema(name))
		if keywords.Export != nil {
			export := *keywords.Export
			export.Output = name
			if export.Speaks = l.interfaceOf(export.Interface); export.Speaks == nil {
				return &FileError{name, "/x-export/interface", l.noInterface(export.Interface)}
			}
			if err := l.checkExport(export); err != nil {
				return err
			}
			request := l.Schema(export.Request)
			export.RateLimit, export.Roles = KeywordsOf(request).RateLimit, rolesOf(request)
			if !export.Roles.Dated() {
				export.Example = exampleOf(request)
			}
			l.exports = append(l.exports, export)
		}
		for i, endpoint := range keywords.Endpoints {
			endpoint.Response = name
			if l.interfaceOf(endpoint.Interface) == nil {
				return &FileError{name, fmt.Sprintf("/x-endpoints/%d/interface", i), l.noInterface(endpoint.Interface)}
			}
			if !l.serves(endpoint) {
				continue
			}
			for member, file := range map[string]string{"error": endpoint.Error, "request": endpoint.Request} {
				if file != "" && l.Schema(file) == nil {
					return &FileError{name, fmt.Sprintf("/x-endpoints/%d/%s", i, member), "there is no schema file " + file}
				}
			}
			if endpoint.Request != "" {
				endpoint.Named = rolesOf(l.Schema(endpoint.Request))["export"]
			}
			if endpoint.namesNone(l.interfaceOf(endpoint.Interface)) {
				return &FileError{name, fmt.Sprintf("/x-endpoints/%d", i),
					"names no export: write a variable in the path, a query parameter with the " +
						"role export, or a request in which a member has the x-role export"}
			}
			if unread := endpoint.unread(l.interfaceOf(endpoint.Interface)); unread != "" {
				return &FileError{name, fmt.Sprintf("/x-endpoints/%d/path", i), "has the variable " + unread + ", which nothing reads: the last " +
					"one names the export, and keyVariable of the interface the application; take it out of the path"}
			}
			l.endpoints = append(l.endpoints, endpoint)
		}
	}
	slices.SortStableFunc(l.exports, func(a, b Export) int {
		return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.Kind, b.Kind))
	})
	slices.SortStableFunc(l.endpoints, func(a, b Endpoint) int {
		return cmp.Or(cmp.Compare(a.Interface, b.Interface), cmp.Compare(a.Name, b.Name))
	})
	l.digestExports()
	if err := l.checkUnique(); err != nil {
		return err
	}
	l.readMembers()
	if err := l.checkInterfaces(); err != nil {
		return err
	}
	for _, each := range l.interfaces {
		l.refusals[each.Errors.Schema] = l.readErrorBranches(each.Errors.Schema)
	}
	return l.checkPlaces()
}

// CheckRoles refuses a member of a request that nothing reads, with a [*FileError]: one without a role, and the second one of a role. A
// const chooses the kind of export, and objects have members of their own.
func (l *Library) CheckRoles() error {
	for _, export := range l.exports {
		if err := checkRoles(l.Schema(export.Request)); err != nil {
			return err
		}
	}
	return nil
}
