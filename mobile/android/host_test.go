//go:build proof

package android_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// compiled gives the folder of the host, compiled against an android.jar.
func compiled(t *testing.T) string {
	t.Helper()
	bridge := proof.NewBridge(t, "jvm", proof.Facade, proof.Trouble)
	host := filepath.Join(t.TempDir(), "host")
	proof.CompileAgainst(t, proof.Tool(t, "android-23.jar"), host, []string{bridge.Classes}, proof.Sources(t, "host", ".java"))
	t.Run("newer API", func(t *testing.T) {
		newer := proof.Tool(t, "maven/android-all-*.jar")
		proof.Compile(t, filepath.Join(t.TempDir(), "host"), []string{newer, bridge.Classes}, proof.Sources(t, "host", ".java"))
	})
	return host
}

// lookedUp are the members that the host looks up by name, because the API that it is compiled against lacks them.
var lookedUp = map[string]string{
	"android.app.NotificationManager":  "areNotificationsEnabled ()Z",
	"android.content.ClipboardManager": "clearPrimaryClip ()V",
}

// TestHost compiles the host against Android 6, which is all that it uses without asking for the version, and against Android 14; and
// holds what it writes out, because Android 6 lacks it, against Android 14. What it does is tested in framework.
func TestHost(t *testing.T) {
	proof.Need(t, "javap")
	android := proof.Tool(t, "maven/android-all-*.jar")
	host := compiled(t)
	for _, c := range []struct{ ours, theirs string }{
		{"io.github.rehearsalsdk.android.AndroidNotifications PERMISSION", "android.Manifest$permission POST_NOTIFICATIONS"},
		{"io.github.rehearsalsdk.android.AndroidNotifications PROMPTING", "android.os.Build$VERSION_CODES TIRAMISU"},
		{"io.github.rehearsalsdk.android.AndroidSettings NOTIFICATION_SETTINGS", "android.provider.Settings ACTION_APP_NOTIFICATION_SETTINGS"},
		{"io.github.rehearsalsdk.android.AndroidSettings EXTRA_APP_PACKAGE", "android.provider.Settings EXTRA_APP_PACKAGE"},
	} {
		ours, theirs := constant(t, host, c.ours), constant(t, android, c.theirs)
		proof.Hold(t, ours != "" && ours == theirs, "%s is %q, %s is %q", c.ours, ours, c.theirs, theirs)
	}
	for class, member := range lookedUp {
		if !slices.Contains(proof.Classes(t, android, class)[class].Members, member) {
			t.Errorf("%s has no %s to look up", class, member)
		}
	}
}

func constant(t *testing.T, classPath, of string) string {
	t.Helper()
	class, name, _ := strings.Cut(of, " ")
	output := proof.Run(t, proof.Command{Name: "javap", Arguments: []string{"-p", "-constants", "-cp", classPath, class}})
	groups := regexp.MustCompile(` ` + name + ` = (.*);`).FindStringSubmatch(output)
	if groups == nil {
		return ""
	}
	return groups[1]
}
