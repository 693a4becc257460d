package imports

import (
	"os"
	"path/filepath"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
)

// CheckOutputs refuses to write over files that are read, or over anything else that the command did not write: a pattern after
// --out names all files that it matches, the first of them as the output.
func CheckOutputs(out string, reports, inputs []string, wrote func(name string) bool) error {
	if err := checkOutput("--out", out, inputs, wrote); err != nil {
		return err
	}
	for _, name := range reports {
		if filepath.Clean(name) == filepath.Clean(out) {
			return usage.Errorf("--report: %s is the file of --out; name another", name)
		}
		if err := checkOutput("--report", name, inputs, wrote); err != nil {
			return err
		}
	}
	return nil
}

func checkOutput(flag, output string, inputs []string, wrote func(name string) bool) error {
	there, err := os.Stat(output)
	if err != nil {
		return nil // it is new, or cannot be written, which is said then
	}
	for _, name := range inputs {
		if read, err := os.Stat(name); name != "-" && err == nil && os.SameFile(there, read) {
			return usage.Errorf("%s: %s is a file to learn from; name another", flag, output)
		}
	}
	if there.Mode().IsRegular() && !wrote(output) {
		return usage.Errorf("%s: %s is there, and learn did not write it; name a new file", flag, output)
	}
	return nil
}
