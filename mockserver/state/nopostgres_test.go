package state_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestBuildWithoutPostgres: a program that was built for a quick start has no driver, and says so.
func TestBuildWithoutPostgres(t *testing.T) {
	if testing.Short() {
		t.Log("not at quick: it builds a program")
		return
	}
	const program = "github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver"
	deps, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-tags", "nopostgres", program).Output()
	if err != nil || strings.Contains(string(deps), "pgx") {
		t.Fatalf("the driver is in the program, or %v", err)
	}
	binary := filepath.Join(t.TempDir(), "mockserver.exe")
	if text, err := exec.CommandContext(t.Context(), "go", "build", "-tags", "nopostgres", "-o", binary, program).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	text, err := exec.CommandContext(t.Context(), binary, "serve", "--state", "postgres://u:secret@127.0.0.1:1/db").CombinedOutput()
	const says = "built without PostgreSQL, with the tag nopostgres: go build ./mockserver/cmd/mockserver makes one"
	must.Hold(t, err != nil && strings.Contains(string(text), says) && !strings.Contains(string(text), "secret"), "%v: %s", err, text)
}
