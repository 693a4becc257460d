package exportapi

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// attributes are the names of attributes that the schema of an output lists.
type attributes struct {
	native, custom []string // native ones with their $
}

// attributesOf are those of an export.
func attributesOf(library *schemas.Library, export schemas.Export) (its attributes) {
	root := library.Schema(export.Output)
	if root.Items2020 == nil {
		return its
	}
	listed := resolved(resolved(root.Items2020).Properties["attributes"])
	if listed == nil {
		return its
	}
	for name := range listed.Properties {
		if strings.HasPrefix(name, "$") {
			its.native = append(its.native, name)
		} else {
			its.custom = append(its.custom, name)
		}
	}
	return its
}

func resolved(s *jsonschema.Schema) *jsonschema.Schema {
	for s != nil && s.Ref != nil {
		s = s.Ref
	}
	return s
}

// doubts are what a creation asks for and hardly means. Custom attributes are looked at where schemas or the dataset have some. Synthetic
// profiles beside a dataset have a value for every name, so there only a likely mistake counts.
func (a *API) doubts(export *schemas.Export, file *exports.File, owner string, now time.Time, found journal.Doubts) journal.Doubts {
	if len(file.Attributes) > 0 {
		a.doubtAttributes(export, file, owner, &found)
	}
	from, to := file.Window.From, file.Window.To
	switch {
	case from.IsZero() && to.IsZero(): // a snapshot
	case !from.Before(to):
		found.NoEvents = fmt.Sprintf("the window is empty: from and to are both %s", from.UTC().Format(time.RFC3339))
	case !from.Before(now):
		found.NoEvents = fmt.Sprintf("nothing has happened yet in a window that begins at %s: it is %s", from.UTC().Format(time.RFC3339),
			now.UTC().Format(time.RFC3339))
	}
	return found
}

// placeholders are the variables of the path, and the parameters of the query, that a client left unfilled: their values look
// like those of templates, or are their names.
func (r *request) placeholders() (found []journal.Doubt) {
	doubt := func(name, value string) {
		if unfilled.MatchString(value) || strings.EqualFold(value, name) {
			found = append(found, journal.Doubt{Name: name, Likely: value})
		}
	}
	for _, name := range r.Route.Placeholders() {
		doubt(name, r.Variables[name])
	}
	for _, parameter := range r.Route.Query {
		doubt(parameter.Name, r.URL.Query().Get(parameter.Name))
	}
	return found
}

// unfilled matches the placeholders of templates, and the words of languages for no value.
var unfilled = regexp.MustCompile(`^(?:\{.*\}|<.*>|\$.+|:[A-Za-z_]\w*|%[sdv]|\[object \w+\]|undefined|null|nil|None|NaN|<nil>)$`)

// native is what a native attribute is called that has lost its $.
func native(name string) string { return "$" + strings.ToLower(name) }

// near returns the native attribute that a misspelt name without $ was probably
// meant to be. A longer name that begins with a native one is a custom one.
func near(name string, attributes []string) string {
	likely := schemas.Likely(native(name), attributes)
	if len(name) < 5 || strings.HasPrefix(native(name), likely) || strings.HasPrefix(likely, native(name)) {
		return ""
	}
	return likely
}

func (a *API) doubtAttributes(export *schemas.Export, file *exports.File, owner string, found *journal.Doubts) {
	type key struct{ output string }
	its := schemas.Derived(a.Library, key{export.Output}, func() attributes { return attributesOf(a.Library, *export) })
	known := its.custom
	if file.DataGeneration > 0 {
		known = slices.Concat(known, a.Live.Attributes(owner))
	}
	for _, name := range file.Attributes {
		switch {
		case strings.HasPrefix(name, "$"):
		case slices.Contains(known, name):
		case slices.Contains(its.native, native(name)):
			found.WithoutDollar = append(found.WithoutDollar, journal.Doubt{Name: name, Likely: native(name)})
		case near(name, its.native) != "":
			found.WithoutDollar = append(found.WithoutDollar, journal.Doubt{Name: name, Likely: near(name, its.native)})
		case len(known) > 0:
			likely := schemas.Likely(name, known)
			if likely != "" || file.DataGeneration == 0 || file.DataOnly {
				found.Undeclared = append(found.Undeclared, journal.Doubt{Name: name, Likely: likely})
			}
		}
	}
}
