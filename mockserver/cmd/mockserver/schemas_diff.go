package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/report"
	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/catalog"
)

// diffSchemas prints what distinguishes the schemas of a library from those in
// a directory, or from the embedded ones.
func diffSchemas(_ context.Context, library *schemas.Library, directory string, f schemasFlags, t terminal) error {
	before, err := schemasBefore(directory)
	if err != nil {
		return err
	}
	differences, err := catalog.Differences(library, before)
	if err != nil {
		return fmt.Errorf("%s: %w", directory, err)
	}
	out := bufio.NewWriter(t.out)
	for _, difference := range differences {
		if f.format == report.JSON {
			_ = report.WriteJSON(out, difference) // a writer that fails is found at the end
			continue
		}
		fmt.Fprintf(out, "%s: %s: %s\n", report.Printable(difference.File), report.Printable(cmp.Or(difference.Pointer, "/")), report.Printable(difference.Text()))
	}
	if f.format == report.Text && len(differences) == 0 {
		fmt.Fprintln(out, "no differences")
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if len(differences) > 0 {
		return report.ErrFaults
	}
	return nil
}

// schemasBefore are the files to compare with.
func schemasBefore(directory string) (map[string][]byte, error) {
	sources := map[string][]byte{}
	if directory == "" {
		embedded, err := schemas.Embedded()
		if err != nil {
			return nil, err
		}
		for _, name := range embedded.Names() {
			sources[name] = embedded.Source(name)
		}
		return sources, nil
	}
	system, err := files.OpenDirectory("diff", directory, files.SchemaLimit)
	if err != nil {
		return nil, err
	}
	if err := schemas.ReadFiles(system, sources); err != nil {
		return nil, fmt.Errorf("diff: %s: %w", directory, err)
	}
	if len(sources) == 0 {
		return nil, fmt.Errorf("diff: there is no schema file in %s; name a directory that mockserver schemas export has written", directory)
	}
	return sources, nil
}
