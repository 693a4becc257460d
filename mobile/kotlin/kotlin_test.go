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
	proof.Kotlin(t, own, append([]string{bridge.Classes}, classes[1:]...), append(proof.Sources(t, "proof", ".kt"), proof.Shown(t, "README.md", "kotlin", "Sample.kt")))

	run := func(class string, flags ...string) proof.Command {
		return bridge.Java(flags, classes, class)
	}
	for name, flags := range map[string][]string{
		"lambdas": nil, "functions that suspend": {"-Dsuspending=true"}, "performed in the background": {"-Dbackground=true"},
	} {
		t.Run("vectors, "+name, func(t *testing.T) {
			runner := proof.Start(t, run("io.github.rehearsalsdk.proof.Vectors", flags...))
			actionstest.RunVectors(t, filepath.Join(proof.Root(t), "actions", "testdata", "vectors"), runner.Subject)
		})
	}
	t.Run("facade", func(t *testing.T) { proof.Checks(t, run("io.github.rehearsalsdk.proof.Facade")) })
	t.Run("what the page shows", func(t *testing.T) { proof.Checks(t, run("SampleKt")) })
}
