package mobile_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// TestTableOfCapabilities holds the table of capabilities in README.md against what the registry lets an app set, and what the hosts
// for Android and iOS set. That it has a row for every capability is asked in package actions.
func TestTableOfCapabilities(t *testing.T) {
	setters := read(t, "actions/setters.go")
	android := read(t, "android/host/java/io/github/rehearsalsdk/android/AndroidHost.java")
	ios := read(t, "ios/Host/RHHost.m")
	listed := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| `\\w+` \\| `set(\\w+)` \\|(.*)\\|(.*)\\|$").FindAllStringSubmatch(read(t, "README.md"),
		-1) {
		name := row[1]
		listed[name] = true
		if !strings.Contains(setters, "\nfunc (r *Registry) Set"+name+"(") {
			t.Errorf("README.md lists set%s, which mobile/actions/setters.go does not have", name)
		}
		if says, does := strings.TrimSpace(row[2]) != "", strings.Contains(android, "registry.set"+name+"("); says != does {
			t.Errorf("%s: README.md says %t of AndroidHost, AndroidHost.java says %t", name, says, does)
		}
		if says, does := strings.TrimSpace(row[3]) != "", strings.Contains(ios, "[registry set"+name+":"); says != does {
			t.Errorf("%s: README.md says %t of RHHost, RHHost.m says %t", name, says, does)
		}
	}
	for _, setter := range regexp.MustCompile(`(?m)^func \(r \*Registry\) Set(\w+)\(`).FindAllStringSubmatch(setters, -1) {
		proof.Hold(t, listed[setter[1]], "the table of capabilities in README.md does not list set%s", setter[1])
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text := proof.Get(os.ReadFile(name))(t)
	return string(text)
}
