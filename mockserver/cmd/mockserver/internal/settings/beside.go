package settings

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"
)

// beside are the values of a flag that a file of settings has. Relative paths begin where that file is, so that it means the same
// wherever the program is started. A file that is no regular one, such as a pipe, is nowhere.
// See docs/decisions/server.md#where-do-the-paths-in-a-configuration-file-begin
func beside(config string, f *pflag.Flag, values []string) []string {
	for i, value := range values {
		if certificate, key, is := strings.Cut(value, ","); is && f.Name == "tls" {
			values[i] = besideFile(config, certificate) + "," + besideFile(config, key)
		} else if isPath(f, value) && (f.Name != "credentials" || value != "any") {
			values[i] = besideFile(config, value)
		}
	}
	return values
}

// besideFile is a path that a file of settings names.
func besideFile(config, path string) string {
	if information, err := os.Stat(config); err != nil || !information.Mode().IsRegular() || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(config), path)
}

// isPath reports whether a value names a file, by what the flag calls its values.
func isPath(f *pflag.Flag, value string) bool {
	kind, _ := pflag.UnquoteUsage(f)
	switch kind {
	case "FILE", "DIR":
		return value != "" && value != "-" // standard input or output
	case "STATE":
		return value != "" && value != "memory" && !strings.Contains(value, ":")
	}
	return false
}
