//go:build proof

package framework_test

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// testShrunk shrinks, optimizes and renames the sample app, the host and the bindings with the rules that the library ships, presses the
// buttons and drives the host again. Without the rules it must not run: the rules are what keeps it alive.
func (a app) testShrunk(t *testing.T) {
	// What the tests call by name, as the system calls an app's activities.
	const tests = "-keep class io.github.rehearsalsdk.sample.MainActivity { *; }\n" +
		"-keep class io.github.rehearsalsdk.sample.SampleApplication { <init>(); void onCreate(); }\n"
	rules := proof.Get(os.ReadFile("../consumer-rules.pro"))(t)
	t.Run("with the rules", func(t *testing.T) {
		shrunk := a.shrink(t, tests+string(rules))
		proof.Checks(t, a.run("34", []string{shrunk}, "SampleTest"))
		archive := proof.Get(zip.OpenReader(shrunk))(t)
		defer archive.Close()
		for _, file := range archive.File {
			proof.Hold(t, file.Name != "io/github/rehearsalsdk/android/AndroidClipboard.class", "nothing was renamed")
		}
	})
	t.Run("the host with the rules", func(t *testing.T) {
		const used = "-keep class io.github.rehearsalsdk.android.AndroidHost { public *; }\n" +
			"-keep interface io.github.rehearsalsdk.android.* { *; }\n" // what the tests call
		proof.Checks(t, a.run("34", []string{a.shrink(t, used+string(rules))}, hostTests...))
	})
	t.Run("without the rules", func(t *testing.T) {
		stdout, stderr, _ := proof.Try(a.run("34", []string{a.shrink(t, tests)}, "SampleTest"))
		if !strings.Contains(stdout+stderr, "UnsatisfiedLinkError") {
			t.Errorf("it runs, so nothing shows that the rules do anything:\n%s", stdout)
		}
	})
}

// shrink gives a jar of shrunk classes.
func (a app) shrink(t *testing.T, rules string) string {
	t.Helper()
	dir := t.TempDir()
	out, file := filepath.Join(dir, "shrunk.jar"), filepath.Join(dir, "rules.pro")
	lines := []string{
		"-injars " + a.sample, "-injars " + a.host, "-injars " + a.bridge.Classes,
		"-injars " + proof.KotlinLibrary(t) + "(!META-INF/versions/**)",
		"-outjars " + out, "-libraryjars " + proof.Tool(t, "android-23.jar"),
		"-dontwarn kotlin.**,org.jetbrains.annotations.**,java.lang.invoke.**", "-dontnote **", rules, // Kotlin uses newer classes as well
	}
	proof.Do(t, os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o644))
	proguard := filepath.Join(filepath.Dir(proof.Tool(t, "maven/proguard-base-*.jar")), "*")
	proof.Run(t, proof.Command{Name: "java", Arguments: []string{"-cp", proguard, "proguard.ProGuard", "@" + file}})
	return out
}
