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

// app is everything an app with the host consists of, compiled.
type app struct {
	bridge                      proof.Bridge
	fakes, host, checks, sample string
}

func newApp(t *testing.T) app {
	t.Helper()
	android := proof.Tool(t, "android-23.jar")
	a := app{bridge: proof.NewBridge(t, "jvm", proof.Facade, proof.Trouble)}
	dir := t.TempDir()
	a.fakes, a.host, a.checks, a.sample = filepath.Join(dir, "fakes"), filepath.Join(dir, "host"), filepath.Join(dir, "checks"), filepath.Join(dir, "sample")
	proof.Compile(t, a.fakes, nil, proof.Sources(t, "fakes", ".java"))
	// The host and the sample see Android as it is; only when they run they meet the fakes.
	proof.CompileAgainst(t, android, a.host, []string{a.bridge.Classes}, proof.Sources(t, "host", ".java"))
	proof.Kotlin(t, a.sample, []string{android, a.bridge.Classes, a.host}, proof.Sources(t, "sample", ".kt"))
	checks := append(proof.Sources(t, "checks", ".java"), filepath.Join("..", "jvm", "java", "Checks.java"))
	proof.Compile(t, a.checks, []string{a.bridge.Classes, a.fakes, a.host, a.sample}, checks)
	return a
}

// run runs a class of the checks on a device of an API level.
func (a app) run(t *testing.T, class string, properties ...string) {
	t.Helper()
	classPath := []string{a.host, a.checks, a.sample, a.fakes, proof.KotlinLibrary(t), proof.ContextStub(t)}
	proof.Checks(t, a.bridge.Java(properties, classPath, "io.github.rehearsalsdk.proof."+class))
}

// TestApp drives the host through the real library on devices of several API levels, presses the buttons of the sample app, and does
// both again after shrinking. All of it is built once.
func TestApp(t *testing.T) {
	a := newApp(t)
	for _, device := range [][]string{{"-Dsdk=34"}, {"-Dsdk=33", "-Dtarget=32"}, {"-Dsdk=30"}, {"-Dsdk=24"}, {"-Dsdk=22"}} {
		t.Run("host "+strings.Join(device, " "), func(t *testing.T) { a.run(t, "HostChecks", device...) })
	}
	t.Run("sample", func(t *testing.T) { a.run(t, "SampleChecks", "-Dsdk=34") })
	t.Run("shrunk", a.testShrunk)
	t.Run("newer API", a.testNewerAPI)
	t.Run("constants", a.testConstants)
}

// testNewerAPI compiles the host against Android 14 as well.
func (a app) testNewerAPI(t *testing.T) {
	android := proof.Tool(t, "maven/android-all-*.jar")
	proof.Compile(t, filepath.Join(t.TempDir(), "host"), []string{android, a.bridge.Classes}, proof.Sources(t, "host", ".java"))
}

// lookedUp are the members that the host looks up by name, because the API that it is compiled against lacks them.
var lookedUp = map[string]string{
	"android.app.NotificationManager":  "areNotificationsEnabled ()Z",
	"android.content.ClipboardManager": "clearPrimaryClip ()V",
}

// TestFakes holds every member of the made-up classes against the real ones: a fake that has something that Android has not
// would prove nothing.
func TestFakes(t *testing.T) {
	proof.Need(t, "javac", "javap")
	dir := filepath.Join(t.TempDir(), "fakes")
	proof.Compile(t, dir, nil, proof.Sources(t, "fakes", ".java"))
	var names []string
	for _, name := range proof.ClassesIn(t, dir) {
		if strings.HasPrefix(name, "android.") && !regexp.MustCompile(`\$\d`).MatchString(name) {
			names = append(names, name)
		}
	}
	fakes := proof.Classes(t, dir, names...)
	for name, android := range map[string]string{"Android 6": proof.Tool(t, "android-23.jar"), "Android 14": proof.Tool(t, "maven/android-all-*.jar")} {
		t.Run(name, func(t *testing.T) {
			has := members(t, android, names)
			for _, class := range names {
				t.Run(class, func(t *testing.T) {
					for _, member := range fakes[class].Members {
						if name == "Android 6" && lookedUp[class] == member {
							continue
						}
						if member == class+" ()V" {
							continue // javac adds this constructor; only the tests call it
						}
						if !slices.Contains(has[class], member) {
							t.Errorf("%s has no %s", class, member)
						}
					}
				})
			}
		})
	}
}

// members gives all members of classes, those of their ancestors included.
func members(t *testing.T, jar string, names []string) map[string][]string {
	t.Helper()
	classes := map[string]proof.Class{}
	for wanted := names; len(wanted) > 0; {
		for name, class := range proof.Classes(t, jar, wanted...) {
			classes[name] = class
		}
		wanted = nil
		for _, class := range classes {
			for _, ancestor := range class.Ancestors {
				if _, known := classes[ancestor]; !known && strings.HasPrefix(ancestor, "android.") && !slices.Contains(wanted, ancestor) {
					wanted = append(wanted, ancestor)
				}
			}
		}
	}
	all := map[string][]string{}
	var collect func(name string) []string
	collect = func(name string) []string {
		found := slices.Clone(classes[name].Members)
		for _, ancestor := range classes[name].Ancestors {
			found = append(found, collect(ancestor)...)
		}
		return found
	}
	for _, name := range names {
		all[name] = collect(name)
	}
	return all
}

// testConstants holds what the host writes out, because the API that it is compiled against lacks it, against Android 14.
func (a app) testConstants(t *testing.T) {
	proof.Need(t, "javap")
	android := proof.Tool(t, "maven/android-all-*.jar")
	for _, c := range []struct{ ours, theirs string }{
		{"io.github.rehearsalsdk.android.AndroidNotifications PERMISSION", "android.Manifest$permission POST_NOTIFICATIONS"},
		{"io.github.rehearsalsdk.android.AndroidNotifications PROMPTING", "android.os.Build$VERSION_CODES TIRAMISU"},
		{"io.github.rehearsalsdk.android.AndroidSettings NOTIFICATION_SETTINGS", "android.provider.Settings ACTION_APP_NOTIFICATION_SETTINGS"},
		{"io.github.rehearsalsdk.android.AndroidSettings EXTRA_APP_PACKAGE", "android.provider.Settings EXTRA_APP_PACKAGE"},
	} {
		ours, theirs := constant(t, a.host, c.ours), constant(t, android, c.theirs)
		if ours == "" || ours != theirs {
			t.Errorf("%s is %q, %s is %q", c.ours, ours, c.theirs, theirs)
		}
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
