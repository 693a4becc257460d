package files

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/asked"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

const (
	// selfCheckRows is how many rows of each kind are checked at the start.
	selfCheckRows = 300
	// selfCheckProfiles is the population they are taken from. It does not depend on the server's own, so that the start takes no longer
	// for a large one.
	selfCheckProfiles = 2000
	// selfCheckMany is the population in which rare rows are.
	selfCheckMany = 50_000
	// selfCheckWindow is how far back they begin.
	selfCheckWindow = 7 * 24 * time.Hour
)

// SelfCheck makes the beginning of a file of every kind, with everything in it, and checks it against its own schema: schema files that
// ask for what cannot be generated should stop the server, not the download of an export that has succeeded, nor the client that reads
// it. The embedded files alone are held to this by a test, and need not be at every start.
func (f *Files) SelfCheck(library *schemas.Library, planner exports.Planner, now time.Time) error {
	if embedded, err := schemas.Embedded(); err == nil && library == embedded {
		return nil
	}
	planner.Profiles = selfCheckProfiles
	// Servers that have the same schemas and people make the same files, on one day.
	people, err := json.Marshal(planner)
	if err != nil {
		return err
	}
	type key struct{ people, day string }
	return schemas.Derived(library, key{string(people), now.UTC().Format(time.DateOnly)}, func() error {
		if err := asked.Check(library); err != nil {
			return fmt.Errorf("the schemas cannot be served: %w", err)
		}
		for _, export := range library.Exports() {
			if err := f.selfCheck(library, planner, export, now); err != nil {
				return fmt.Errorf("the schemas of %s cannot be served: %w", export.Kind, err)
			}
		}
		return nil
	})
}

// selfCheck checks the files of an export. One without a row may be of a small population: where the schemas explain it, the file is
// made again of many people of the usual world.
func (f *Files) selfCheck(library *schemas.Library, planner exports.Planner, export schemas.Export, now time.Time) error {
	empty, err := f.isEmpty(library, planner, export, now)
	if err != nil || !empty {
		return err
	}
	fault := asked.Empty(library, export)
	if fault == nil {
		return nil
	}
	planner.Settings, planner.Profiles = world.Settings{}, selfCheckMany
	if empty, err = f.isEmpty(library, planner, export, now); err != nil || !empty {
		return err
	}
	return fault
}

// isEmpty tells whether the file of an export has no row, and is an error where a row does not fit its schema.
func (f *Files) isEmpty(library *schemas.Library, planner exports.Planner, export schemas.Export, now time.Time) (bool, error) {
	template := exports.TemplateOf(library, export)
	payload := template.Everything()
	past := selfCheckWindow
	if export.Lookback > 0 {
		past = min(past, export.Lookback)
	}
	template.PutWindow(payload, now.Add(-past), now, now)
	variables := map[string]string{}
	for _, name := range exports.Placeholders(export.Path) {
		variables[name] = "rehearsal"
	}
	plan, err := planner.Plan(export, variables, "rehearsal", exports.Members(payload), now)
	if err != nil {
		return false, err
	}
	most := int64(selfCheckRows)
	plan.File.MaxRows = &most
	file, err := f.renderer.Open(plan.File)
	if err != nil {
		return false, err
	}
	var text bytes.Buffer
	if _, err := file.WriteTo(&text); err != nil {
		return false, err
	}
	var first *schemas.Fault
	checked, err := library.CheckFile(export.Output, &text, func(fault schemas.Fault) bool {
		first = &fault
		return false
	})
	if err == nil && first != nil {
		err = fmt.Errorf("a file made from %s does not fit it: row %d, %s: %s (%s)",
			export.Output, first.Row, orWhole(first.Pointer), first.Message, first.Keyword)
	}
	return checked.Rows == 0, err
}

func orWhole(pointer string) string {
	if pointer == "" {
		return "the whole"
	}
	return pointer
}
