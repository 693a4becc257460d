package actions_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// TestDependencies holds the packages that this one pulls into an app against a list: each is weight, and nothing here speaks to
// a network, to files or to a clock.
func TestDependencies(t *testing.T) {
	const module = "github.com/rehearsal-sdk/rehearsal/"
	allowed := []string{
		"bytes", "cmp", "errors", "io", "iter", "maps", "math", "math/bits", "runtime", "slices", "strconv", "strings", "sync", "sync/atomic",
		"syscall", "time", "unicode", "unicode/utf16", "unicode/utf8", "unsafe",
		module + "actions", module + "actions/actionsjson", module + "mobile/actions",
	}
	for _, platform := range [][2]string{{"android", "arm64"}, {"android", "arm"}, {"ios", "arm64"}} {
		command := exec.Command("go", "list", "-deps", ".")
		command.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+platform[0], "GOARCH="+platform[1])
		out, err := command.Output()
		if err != nil {
			t.Fatalf("go list for %s: %v", platform, err)
		}
		for path := range strings.FieldsSeq(string(out)) {
			internal := strings.HasPrefix(path, "internal/") || strings.Contains(path, "/internal/") || strings.HasSuffix(path, "/internal")
			proof.Hold(t, internal || slices.Contains(allowed, path), "%s: this package pulls in %s", platform, path)
		}
	}
}
