//go:build proof

package framework_test

import (
	"path/filepath"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// levels are the API levels on whose classes the host runs: the oldest that it supports, and those of the prompt for notifications.
var levels = []string{"21", "33", "34", "35"}

// TestFramework runs the host on the classes of every level. A library belongs to one class loader and each level has one of its
// own, so each is a JVM of its own.
func TestFramework(t *testing.T) {
	robolectric := filepath.Dir(proof.Tool(t, "robolectric/robolectric-*.jar"))
	android := proof.Tool(t, "maven/android-all-*.jar")
	bridge := proof.NewBridge(t, "framework", proof.Facade)
	dir := t.TempDir()
	host, checks := filepath.Join(dir, "host"), filepath.Join(dir, "checks")
	proof.CompileAgainst(t, proof.Tool(t, "android-23.jar"), host, []string{bridge.Classes}, proof.Sources(t, "../host", ".java"))
	var jars []string
	for _, jar := range proof.Glob(t, filepath.Join(robolectric, "*.jar")) {
		if ok, _ := filepath.Match("android-all-*", filepath.Base(jar)); !ok {
			jars = append(jars, jar)
		}
	}
	classPath := append([]string{host, checks, compileStubs(t, android), android}, jars...)
	proof.Compile(t, checks, append([]string{bridge.Classes}, classPath...), proof.Sources(t, "java", ".java"))
	for _, level := range levels {
		t.Run("API level "+level, func(t *testing.T) {
			properties := []string{"-Drobolectric.offline=true", "-Drobolectric.dependency.dir=" + robolectric, "-Drobolectric.enabledSdks=" + level,
				"-Drobolectric.logging=stderr"}
			proof.Checks(t, bridge.Java(properties, classPath, "io.github.rehearsalsdk.proof.FrameworkRun"))
		})
	}
}
