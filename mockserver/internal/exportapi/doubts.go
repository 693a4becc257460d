package exportapi

import (
	"fmt"
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

// attributesOf are those of the kinds of export that have any, by kind.
func attributesOf(library *schemas.Library) map[string]attributes {
	found := map[string]attributes{}
	for _, export := range library.Exports() {
		root := library.Schema(export.Output)
		if root.Items2020 == nil {
			continue
		}
		listed := resolved(resolved(root.Items2020).Properties["attributes"])
		if listed == nil {
			continue
		}
		its := attributes{}
		for name := range listed.Properties {
			if strings.HasPrefix(name, "$") {
				its.native = append(its.native, name)
			} else {
				its.custom = append(its.custom, name)
			}
		}
		found[export.Kind] = its
	}
	return found
}

func resolved(s *jsonschema.Schema) *jsonschema.Schema {
	for s != nil && s.Ref != nil {
		s = s.Ref
	}
	return s
}

// doubts are what a creation asks for and hardly means. Custom attributes are
// looked at where schemas or the dataset have some. Synthetic profiles beside a
// dataset have a value for every name, so there only a likely mistake counts.
func (a *API) doubts(file *exports.File, owner string, now time.Time) (found journal.Doubts) {
	its := a.attributes[file.Kind]
	known := its.custom
	if file.DataGeneration > 0 {
		known = slices.Concat(known, a.Live.Attributes(owner))
	}
	for _, name := range file.Attributes {
		switch {
		case strings.HasPrefix(name, "$"):
		case found.WithoutDollar == "" && slices.Contains(its.native, "$"+name):
			found.WithoutDollar = name
		case found.Undeclared == "" && len(known) > 0 && !slices.Contains(known, name) && !slices.Contains(its.native, "$"+name):
			likely := schemas.Likely(name, known)
			if likely != "" || file.DataGeneration == 0 || file.DataOnly {
				found.Undeclared, found.Likely = name, likely
			}
		}
	}
	from, to := file.Window.From, file.Window.To
	switch {
	case from.IsZero() && to.IsZero(): // a snapshot
	case !from.Before(to):
		found.NoEvents = fmt.Sprintf("the window is empty: from and to are both %s", from.UTC().Format(time.RFC3339))
	case !from.Before(now):
		found.NoEvents = fmt.Sprintf("the window begins at %s, and it is only %s", from.UTC().Format(time.RFC3339), now.UTC().Format(time.RFC3339))
	}
	return found
}
