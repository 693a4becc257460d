//go:build proof

package kotlin_test

import (
	"path/filepath"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// BenchmarkKotlin measures what the façade adds to a perform.
func BenchmarkKotlin(b *testing.B) {
	coroutines := proof.Tool(b, "maven/kotlinx-coroutines-core-jvm-*.jar")
	bridge := proof.NewBridge(b, "jvm", proof.Facade, proof.Trouble)
	classes := filepath.Join(b.TempDir(), "classes")
	proof.Kotlin(b, classes, []string{bridge.Classes, coroutines}, append(proof.Sources(b, "src", ".kt"), proof.Sources(b, "bench", ".kt")...))
	for b.Loop() {
		b.Log(proof.Run(b, bridge.Java(nil, []string{classes, coroutines, proof.KotlinLibrary(b), proof.ContextStub(b)},
			"io.github.rehearsalsdk.proof.Numbers")))
	}
}
