package actionstest

import (
	"maps"
	"os"
	"slices"
	"testing"
)

// RunVectors runs every vector of a directory, and of the one that the environment variable REHEARSAL_VECTORS names if it is
// set, each on a new subject.
func RunVectors(t *testing.T, dir string, newSubject func(HostSpec) Subject) {
	t.Helper()
	dirs := []string{dir}
	if further := os.Getenv("REHEARSAL_VECTORS"); further != "" {
		dirs = append(dirs, further)
	}
	for _, dir := range dirs {
		files, err := ReadVectors(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range slices.Sorted(maps.Keys(files)) {
			t.Run(name, func(t *testing.T) {
				for _, vector := range files[name] {
					t.Run(vector.About, func(t *testing.T) {
						for _, problem := range Check(vector, newSubject(vector.Host)) {
							t.Error(problem)
						}
					})
				}
			})
		}
	}
}
