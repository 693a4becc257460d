//go:build !js

package actions_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestDependencies keeps what is shipped to browsers and phones small: each of these packages would add tens or hundreds of
// kilobytes to a bundle.
func TestDependencies(t *testing.T) {
	large := []string{"fmt", "encoding/json", "regexp", "net/url", "reflect", "context", "os", "time", "log", "log/slog", "net", "net/http",
		"testing"}
	for path, further := range map[string][]string{".": {"strconv"}, "./actionsjson": nil} {
		for _, system := range [][2]string{{"js", "wasm"}, {"android", "arm64"}, {"ios", "arm64"}, {"linux", "amd64"}} {
			command := exec.Command("go", "list", "-deps", path)
			command.Env = append(os.Environ(), "GOOS="+system[0], "GOARCH="+system[1])
			out, err := command.Output()
			if err != nil {
				t.Fatalf("go list: %v", err)
			}
			for _, dependency := range strings.Fields(string(out)) {
				if slices.Contains(append(large, further...), dependency) {
					t.Errorf("on %s/%s %s depends on %s", system[0], system[1], path, dependency)
				}
				if strings.Contains(dependency, ".") && !strings.HasPrefix(dependency, "github.com/rehearsal-sdk/rehearsal/actions") {
					t.Errorf("%s depends on %s, which is not of the standard library", path, dependency)
				}
			}
		}
	}
}
