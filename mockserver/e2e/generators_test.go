package e2e_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestGuideToGenerators: the guide tells to type what the tests of the generated clients run.
func TestGuideToGenerators(t *testing.T) {
	guide := must.Get(os.ReadFile("../../docs/how-to/generate-a-client.md"))(t)
	scripts, err := filepath.Glob("../conformance/generators/*/run.sh")
	if err != nil || len(scripts) < 5 {
		t.Fatalf("%v %v", scripts, err)
	}
	for _, script := range scripts {
		text := must.Get(os.ReadFile(script))(t)
		folder := filepath.Base(filepath.Dir(script))
		if folder == "openapi-generator" { // the guide tells to run the script itself, which makes three clients
			text = []byte("sh run.sh\n")
		}
		_, section, found := strings.Cut(string(guide), "(../../mockserver/conformance/generators/"+folder+")")
		section, _, _ = strings.Cut(section, "\n## ")
		must.Hold(t, found, "the guide does not name the folder %s", folder)
		commands := 0
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "#") || line == "set -eu\n" {
				continue
			}
			commands++
			line = strings.Replace(line, "node_modules/.bin/", "npx ", 1) // which not everybody has who has npm
			must.Hold(t, strings.Contains(section, "\n"+line), "%s: the guide has not %s", folder, line)
		}
		must.Hold(t, commands != 0, "%s runs nothing", script)
	}
}
