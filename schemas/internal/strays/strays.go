// Package strays finds files of an overlay that lie where nothing looks for them: a folder misspelt, or one too many
// or too few.
package strays

import (
	"path"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/schemas/internal/spelling"
)

// Find returns the first file, by its path, that was most likely meant to replace one of the known files, and
// says so; "" for none. A file with a name of its own may lie anywhere.
func Find(files, known []string) (stray, message string) {
	for _, file := range files {
		if slices.Contains(known, file) {
			continue
		}
		for _, other := range known {
			folder := path.Dir(other)
			misspelt := path.Base(file) == path.Base(other) && spelling.Likely(path.Dir(file), []string{folder}) != ""
			// userbase.row.json at the root, or mine/legacy/userbase.row.json
			if misspelt || file == path.Base(other) && folder != "." || strings.HasSuffix(file, "/"+other) {
				return file, "replaces no file: did you mean " + other + "? Paths are those of `mockserver schemas list`"
			}
		}
	}
	return "", ""
}
