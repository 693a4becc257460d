//go:build proof

package kotlin_test

import (
	"path/filepath"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/actions/actionstest"
	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// TestKotlin compiles the façade, what the page shows of it, and what tests it; and runs that over the real bridge.
func TestKotlin(t *testing.T) {
	coroutines := proof.Tool(t, "maven/kotlinx-coroutines-core-jvm-*.jar")
	bridge := proof.NewBridge(t, "jvm", proof.Facade, proof.Trouble)
	dir := t.TempDir()
	facade, java, own := filepath.Join(dir, "facade"), filepath.Join(dir, "java"), filepath.Join(dir, "own")
	proof.Kotlin(t, facade, []string{bridge.Classes, coroutines}, proof.Sources(t, "src", ".kt"), "-Xexplicit-api=strict")
	proof.Compile(t, java, []string{bridge.Classes}, []string{"../jvm/java/Phone.java", "../jvm/java/Checks.java"})
	classes := []string{own, java, facade, coroutines, proof.KotlinLibrary(t), proof.ContextStub(t)}
	proof.Kotlin(t, own, append([]string{bridge.Classes}, classes[1:]...),
		append(proof.Sources(t, "proof", ".kt"), proof.Shown(t, "README.md", "kotlin", "Sample.kt")))

	run := func(class string, flags ...string) proof.Command {
		return bridge.Java(flags, classes, class)
	}
	for name, flags := range map[string][]string{
		"lambdas": nil, "performed in the background": {"-Dbackground=true"},
		"functions that suspend, with the JVM's own checks": append(proof.CheckedJNI(), "-Dsuspending=true"),
	} {
		t.Run("vectors, "+name, func(t *testing.T) {
			runner := proof.Start(t, run("io.github.rehearsalsdk.proof.Vectors", flags...))
			actionstest.RunVectors(t, filepath.Join(proof.Root(t), "actions", "testdata", "vectors"), runner.Subject)
		})
	}
	t.Run("facade", func(t *testing.T) { proof.Checks(t, run("io.github.rehearsalsdk.proof.Facade")) })
	t.Run("facade with the JVM's own checks", func(t *testing.T) {
		proof.Checked(t, run("io.github.rehearsalsdk.proof.Facade", proof.CheckedJNI()...))
	})
	t.Run("serialization", func(t *testing.T) { testSerialization(t, bridge, []string{facade, java, coroutines}) })
	t.Run("samples", func(t *testing.T) { testSamples(t, bridge, []string{facade, coroutines}) })
	t.Run("what the page shows", func(t *testing.T) { proof.Checks(t, run("SampleKt")) })
}

// testSerialization compiles what is optional, with the plug-in of the compiler, and runs it.
func testSerialization(t *testing.T, bridge proof.Bridge, facade []string) {
	plugin := "-Xplugin=" + proof.Tool(t, "maven/kotlin-serialization-compiler-plugin-embeddable-*.jar")
	dir := t.TempDir()
	serialization, own := filepath.Join(dir, "serialization"), filepath.Join(dir, "own")
	classes := append([]string{proof.Tool(t, "maven/kotlinx-serialization-core-jvm-*.jar"),
		proof.Tool(t, "maven/kotlinx-serialization-json-jvm-*.jar")}, facade...)
	proof.Kotlin(t, serialization, append([]string{bridge.Classes}, classes...), proof.Sources(t, "serialization", ".kt"),
		"-Xexplicit-api=strict", plugin)
	classes = append(classes, serialization)
	proof.Kotlin(t, own, append([]string{bridge.Classes}, classes...), proof.Sources(t, "proof-serialization", ".kt"), plugin)
	proof.Checks(t, bridge.Java(nil, append(classes, own, proof.KotlinLibrary(t), proof.ContextStub(t)),
		"io.github.rehearsalsdk.proof.Serialization"))
}

// testSamples compiles the samples: with views against Android 6, and with Compose as JetBrains builds it for computers, which has the
// same names as that for Android.
func testSamples(t *testing.T, bridge proof.Bridge, facade []string) {
	t.Run("views", func(t *testing.T) {
		android, host := proof.Tool(t, "android-23.jar"), filepath.Join(t.TempDir(), "host")
		proof.CompileAgainst(t, android, host, []string{bridge.Classes}, proof.Sources(t, "../android/host", ".java"))
		proof.Kotlin(t, t.TempDir(), append([]string{android, bridge.Classes, host}, facade...), proof.Sources(t, "samples/views", ".kt"))
	})
	t.Run("Compose", func(t *testing.T) {
		plugin := "-Xplugin=" + proof.Tool(t, "maven/kotlin-compose-compiler-plugin-embeddable-*.jar")
		classes := append([]string{bridge.Classes}, facade...)
		for _, name := range []string{"runtime", "ui", "ui-text", "ui-unit", "ui-graphics", "foundation", "foundation-layout", "material"} {
			classes = append(classes, proof.Tool(t, "maven/"+name+"-desktop-*.jar"))
		}
		proof.Kotlin(t, t.TempDir(), classes, proof.Sources(t, "samples/compose", ".kt"), plugin)
	})
}
