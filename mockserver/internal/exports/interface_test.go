package exports_test

import (
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// TestInterfacesAgreeWithSchemas: every export and endpoint belongs to an
// interface that is known, and what is said of it is what the schemas have.
func TestInterfacesAgreeWithSchemas(t *testing.T) {
	library := must.Get(schemas.Embedded())(t)
	seen := map[string]bool{}
	check := func(what, name, path, errors string) exports.Interface {
		iface, known := exports.Specified().Named(name)
		if !known {
			t.Fatalf("%s belongs to the interface %q, which is not known", what, name)
		}
		seen[name] = true
		must.Hold(t, iface.Errors.Schema == errors, "%s refuses as %s, its interface as %s", what, errors, iface.Errors.Schema)
		inPath := false
		for _, placeholder := range exports.Placeholders(path) {
			inPath = inPath || placeholder == iface.KeyVariable
		}
		if inPath != (iface.KeyVariable != "") {
			t.Errorf("%s: the application key is in the path %s: %t, want it as the variable %q", what, path, inPath, iface.KeyVariable)
		}
		return iface
	}
	for _, export := range library.Exports() {
		iface := check(export.Kind, export.Interface, export.Path, export.Error)
		if created := library.Schema(export.Response); created == nil || created.Properties[iface.Identifiers.Created] == nil {
			t.Errorf("%s: the answer %s has no member %q", export.Kind, export.Response, iface.Identifiers.Created)
		}
		if (iface.Files.PartSize > 0) != (export.Format == "json") {
			t.Errorf("%s: files are %s, and in parts: %t", export.Kind, export.Format, iface.Files.PartSize > 0)
		}
	}
	for _, endpoint := range library.Endpoints() {
		check(endpoint.Name, endpoint.Interface, endpoint.Path, endpoint.Error)
	}
	for _, iface := range exports.Specified() {
		must.Hold(t, seen[iface.Name], "no export belongs to the interface %s", iface.Name)
		root := library.Schema(iface.Errors.Schema)
		if root == nil || len(root.OneOf) == 0 {
			t.Fatalf("there are no errors in %s", iface.Errors.Schema)
		}
		for _, member := range []string{iface.Errors.Number, iface.Errors.Name, iface.Errors.Message} {
			if member != "" && root.OneOf[0].Properties[member] == nil && root.Properties[member] == nil {
				t.Errorf("%s has no member %q", iface.Errors.Schema, member)
			}
		}
	}
	if iface, known := exports.Specified().Named("nobody's"); known || iface.Name != "" {
		t.Errorf("an interface that nobody knows: %+v", iface)
	}
}

// TestIdentifiers: parts of a file lead to their export, and an identifier to its interface, whether it was given out or not.
func TestIdentifiers(t *testing.T) {
	ids := exports.Profiles().Identifiers
	must.Equal(t, ids.FileOf("export_abc", 12), "file_abc_12", "the identifier of a part")
	for id, want := range map[string]struct {
		export string
		part   int
		ok     bool
	}{
		"file_abc_12": {"export_abc", 12, true}, "abc_1": {"export_abc", 1, true}, "file_abc": {"export_abc", 0, false},
		"file_abc_x": {"export_abc", 0, false}, "": {"export_", 0, false}, "file_a_b_1": {"export_a", 0, false},
	} {
		if export, part, ok := ids.ParseFile(id); export != want.export || part != want.part || ok != want.ok {
			t.Errorf("%q: %q, %d, %t; want %+v", id, export, part, ok, want)
		}
	}
	for id, want := range map[string]string{"export_x": "profiles", "export_": "profiles", "6f9619ff-8b86-d011-b42d-00cf4fc964ff": "legacy", "": "legacy", "file_x_1": "legacy"} {
		must.Equal(t, exports.Specified().OfExport(id).Name, want, "%q is of", id)
	}
}
