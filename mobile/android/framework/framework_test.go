//go:build proof

package framework_test

import (
	"archive/zip"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// levels are the API levels on whose classes the host runs: the oldest and the newest that it supports, and at night one of each kind
// before the prompt for notifications, and those that have it.
func levels() []string {
	if proof.Nightly() {
		return []string{"21", "24", "30", "33", "34", "35"}
	}
	return []string{"21", "35"}
}

// checkedLevel is the one on which the JVM checks JNI: what crosses is the same on all.
const checkedLevel = "35"

// hostTests are the tests of the host; each names the levels that it is for.
var hostTests = []string{"NotificationsTest", "LifecycleTest", "SystemTest", "HostTest"}

// app is everything an app with the host consists of, compiled, and Robolectric.
type app struct {
	bridge proof.Bridge
	// host and sample are the app's classes, rest is what runs them.
	host, sample, playground, robolectric string
	rest                                  []string
}

func newApp(t *testing.T) app {
	t.Helper()
	a := app{robolectric: filepath.Dir(proof.Tool(t, "robolectric/robolectric-*.jar")), bridge: proof.NewBridge(t, "framework", proof.Facade)}
	android, old, dir := proof.Tool(t, "maven/android-all-*.jar"), proof.Tool(t, "android-23.jar"), t.TempDir()
	checks := filepath.Join(dir, "checks")
	a.host, a.sample = filepath.Join(dir, "host"), filepath.Join(dir, "sample")
	// The host and the sample see Android as it was; only when they run they meet another.
	proof.CompileAgainst(t, old, a.host, []string{a.bridge.Classes}, proof.Sources(t, "../host", ".java"))
	a.playground = filepath.Join(dir, "playground")
	proof.CompileAgainst(t, old, a.playground, []string{a.bridge.Classes}, proof.Sources(t, "../playground", ".java"))
	proof.Kotlin(t, a.sample, []string{old, a.bridge.Classes, a.host}, proof.Sources(t, "../sample/src/main", ".kt"))
	proof.Kotlin(t, filepath.Join(dir, "debug"), []string{old, a.bridge.Classes, a.host, a.sample, a.playground},
		proof.Sources(t, "../sample/src/debug", ".kt"))
	a.rest = []string{checks, a.playground, android}
	for _, library := range proof.Glob(t, filepath.Join(a.robolectric, "*.aar")) {
		a.rest = append(a.rest, classesOf(t, library))
	}
	for _, jar := range proof.Glob(t, filepath.Join(a.robolectric, "*.jar")) {
		if ok, _ := filepath.Match("android-all-*", filepath.Base(jar)); !ok {
			a.rest = append(a.rest, jar)
		}
	}
	proof.Compile(t, checks, append([]string{a.bridge.Classes, a.host, a.sample}, a.rest...), proof.Sources(t, "java", ".java"))
	return a
}

// classesOf unpacks the classes of a library for Android.
func classesOf(t *testing.T, library string) string {
	t.Helper()
	archive := proof.Get(zip.OpenReader(library))(t)
	defer archive.Close()
	classes, err := fs.ReadFile(archive, "classes.jar")
	jar := filepath.Join(t.TempDir(), "classes.jar")
	if err == nil {
		err = os.WriteFile(jar, classes, 0o644)
	}
	if err != nil {
		t.Fatalf("%s: %v", library, err)
	}
	return jar
}

// run gives the command that runs classes of tests on the classes of an API level. A library belongs to one class loader and each level
// has one of its own, so each is a JVM of its own.
func (a app) run(level string, classes []string, tests ...string) proof.Command {
	flags := []string{"-Drobolectric.offline=true", "-Drobolectric.dependency.dir=" + a.robolectric, "-Drobolectric.enabledSdks=" + level,
		"-Drobolectric.logging=stderr", "-Djava.library.path=" + a.bridge.Library, "-cp", strings.Join(append(classes, a.rest...), ":"),
		"io.github.rehearsalsdk.proof.FrameworkRun"}
	return proof.Command{Name: "java", Arguments: append(flags, tests...)}
}

// TestFramework drives the host through the real library on the classes of every level, presses the buttons of the sample app, and does
// both again after shrinking. All of it is built once.
func TestFramework(t *testing.T) {
	a := newApp(t)
	own := []string{a.bridge.Classes, a.host, a.sample, proof.KotlinLibrary(t)}
	for _, level := range levels() {
		t.Run("API level "+level, func(t *testing.T) {
			run := a.run(level, own, hostTests...)
			if level != checkedLevel {
				proof.Checks(t, run)
				return
			}
			run.Arguments = append(proof.CheckedJNI(), run.Arguments...)
			proof.Checked(t, run)
		})
	}
	t.Run("playground", func(t *testing.T) {
		hub := proof.NewHub(t)
		done := make(chan bool)
		go func() {
			defer close(done)
			hub.PerformOnAndroid(t)
		}()
		run := a.run("35", own, "PlaygroundTest")
		run.Arguments = append([]string{"-Dhub=" + hub.URL}, run.Arguments...)
		proof.Checks(t, run)
		<-done
	})
	t.Run("sample", func(t *testing.T) { proof.Checks(t, a.run("34", own, "SampleTest")) })
	t.Run("shrunk", a.testShrunk)
}
