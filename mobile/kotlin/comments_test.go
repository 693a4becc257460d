package kotlin_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// property is one that a constructor declares, within a line or on a line of its own.
var property = regexp.MustCompile(`[(,] ?public val (\w+):|^\s+public val (\w+):.*,$`)

// TestComments: everything that the façade makes public has a comment. The compiler asks for the word "public" in its strict mode.
func TestComments(t *testing.T) {
	found := 0
	for _, folder := range []string{"src", "serialization"} {
		files, err := filepath.Glob(folder + "/io/github/rehearsalsdk/ktx/*.kt")
		if err != nil || len(files) == 0 {
			t.Fatalf("no sources in %s (%v)", folder, err)
		}
		for _, name := range files {
			text := proof.Get(os.ReadFile(name))(t)
			before := ""
			for number, line := range strings.Split(string(text), "\n") {
				properties := property.FindAllStringSubmatch(line, -1)
				for _, each := range properties {
					if each := each[1] + each[2]; !strings.Contains(string(text), "@property "+each+" ") {
						t.Errorf("%s:%d: the property %s has no comment", name, number+1, each)
					}
				}
				if strings.HasPrefix(strings.TrimSpace(line), "public ") && !strings.HasSuffix(line, ",") {
					found++
					if !strings.HasSuffix(before, "*/") && !strings.HasPrefix(before, "@") {
						t.Errorf("%s:%d has no comment: %s", name, number+1, line)
					}
				}
				before = line
			}
		}
	}
	proof.Hold(t, found >= 50, "%d declarations are public, the façade has more", found)
}
