package e2e_test

import (
	"bytes"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// command runs the program and returns what it wrote and its exit code.
func command(t testing.TB, arguments ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, complaint bytes.Buffer
	process := exec.CommandContext(t.Context(), program, arguments...)
	process.Stdout, process.Stderr = &out, &complaint
	if err := process.Run(); err != nil && process.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), complaint.String(), process.ProcessState.ExitCode()
}

// TestParts checks that a large profile export comes in several files, each whole in itself.
func TestParts(t *testing.T) {
	t.Parallel()
	straight(t, "it writes JSON anew, and a part has other bytes then")
	const size = 40_000
	whole := connect(t, "--state", "memory", "--profiles", "2000")
	split := connect(t, "--state", "memory", "--profiles", "2000", "--part-size", strconv.Itoa(size))
	for _, name := range []string{"profiles.attributes", "profiles.events", "profiles.reachability"} {
		k := kindOf(name)
		id := split.create(k, k.month(), "X-Mock-Scenario", "progress=now")
		files := split.files(k, id)
		if len(files) < 2 {
			t.Errorf("%s: %d files", name, len(files))
		}
		for i, file := range split.view(id).Files {
			if file.Size != int64(len(files[i])) || file.Size > size {
				t.Errorf("%s: part %d says %d bytes and has %d, at most %d are allowed", name, i+1, file.Size, len(files[i]), size)
			}
		}
		var parts []string
		for _, r := range split.rows(k, files) {
			parts = append(parts, describe(r))
		}
		var all []string
		for _, r := range whole.export(k, k.month()) {
			all = append(all, describe(r))
		}
		if strings.Join(parts, "\n") != strings.Join(all, "\n") {
			t.Errorf("%s: %d rows in parts, %d in one file, or other ones", name, len(parts), len(all))
		}
	}
}
