package mocktest_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestTutorial runs the test that docs/tutorials/first-go-test.md shows, and the change that it says makes the test fail.
func TestTutorial(t *testing.T) {
	page := must.Get(os.ReadFile("../../docs/tutorials/first-go-test.md"))(t)
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllSubmatch(page, -1)
	if len(blocks) != 1 {
		t.Fatalf("the tutorial has %d blocks of Go, want 1", len(blocks))
	}
	shown := blocks[0][1]
	if out, err := runShown(t, shown); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	impatient := regexp.MustCompile(`c\.Sleep\(ctx, wait\)`).ReplaceAll(shown, []byte("c.Sleep(ctx, wait/2)"))
	if out, err := runShown(t, impatient); err == nil || !regexp.MustCompile("retry_after_ignored").Match(out) {
		t.Errorf("an impatient client: %v\n%s", err, out)
	}
}

// runShown runs a test file as if it stood beside the tutorial.
func runShown(t *testing.T, code []byte) ([]byte, error) {
	t.Helper()
	folder := must.Get(filepath.Abs("../../docs/tutorials"))(t)
	file, overlay := filepath.Join(t.TempDir(), "export_test.go"), filepath.Join(t.TempDir(), "overlay.json")
	replace := must.Get(json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(folder, "export_test.go"): file}}))(t)
	for name, data := range map[string][]byte{file: code, overlay: replace} {
		must.Do(t, os.WriteFile(name, data, 0o600))
	}
	return exec.CommandContext(t.Context(), "go", "test", "-count=1", "-overlay", overlay, folder).CombinedOutput()
}
