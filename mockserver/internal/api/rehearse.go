package api

import (
	"bytes"
	"fmt"
	"time"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

const (
	// rehearsedRows is how many rows of each kind are checked at the start.
	rehearsedRows = 300
	// rehearsedProfiles is the population they are taken from. It does not
	// depend on the server's own, so that the start takes no longer for a
	// large one.
	rehearsedProfiles = 2000
	// rehearsedWindow is how far back they begin.
	rehearsedWindow = 7 * 24 * time.Hour
)

// checkFiles makes the beginning of a file of every kind, with everything in
// it, and checks it against its own schema: schema files that ask for what
// cannot be generated should stop the server, not the download of an export
// that has succeeded, nor the client that reads it. The embedded files alone
// are held to this by a test, and need not be at every start.
func (s *Service) checkFiles() error {
	if embedded, err := schemas.Embedded(); err == nil && s.library == embedded {
		return nil
	}
	for _, export := range s.library.Exports() {
		if err := s.rehearse(export); err != nil {
			return fmt.Errorf("the schemas of %s cannot be served: %w", export.Kind, err)
		}
	}
	return nil
}

func (s *Service) rehearse(export schemas.Export) error {
	now := s.Now()
	shape := RequestOf(s.library, export)
	payload := shape.Everything()
	past := rehearsedWindow
	if export.Lookback > 0 {
		past = min(past, export.Lookback)
	}
	for name, date := range map[string]string{"from": now.UTC().Add(-past).Format(shape.DateLayout), "to": "now"} {
		if shape.Has(name) {
			payload[name] = date
		}
	}
	planner := s.planner
	planner.Profiles = rehearsedProfiles
	variables := map[string]string{}
	for _, name := range Placeholders(export.Path) {
		variables[name] = "rehearsal"
	}
	spec, err := planner.Plan(export, variables, "rehearsal", Members(payload), now)
	if err != nil {
		return err
	}
	most := int64(rehearsedRows)
	spec.MaxRows = &most
	file, err := s.files.renderer.Open(spec)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if _, err := file.WriteTo(&text); err != nil {
		return err
	}
	var first *schemas.Fault
	_, err = s.library.CheckFile(export.Output, &text, func(fault schemas.Fault) bool {
		first = &fault
		return false
	})
	if err == nil && first != nil {
		err = fmt.Errorf("a file made from %s does not fit it: row %d, %s: %s (%s)",
			export.Output, first.Row, orWhole(first.Pointer), first.Message, first.Keyword)
	}
	return err
}

func orWhole(pointer string) string {
	if pointer == "" {
		return "the whole"
	}
	return pointer
}
