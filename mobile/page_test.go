//go:build proof

package mobile_test

import (
	"path/filepath"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// TestCodeOfThePage compiles what the page of the mock server writes for apps. That it writes just this is tested by
// web/playground/test/code.test.mjs.
func TestCodeOfThePage(t *testing.T) {
	for _, name := range []string{"built", "own"} {
		shown := func(file string) string { return filepath.Join("testdata", "page", name, file) }
		t.Run(name+", Java", func(t *testing.T) {
			bridge := proof.NewBridge(t, "jvm", proof.Facade, proof.Trouble)
			proof.Compile(t, t.TempDir(), []string{bridge.Classes}, []string{shown("Call.java")})
		})
		t.Run(name+", Kotlin", func(t *testing.T) {
			coroutines := proof.Tool(t, "maven/kotlinx-coroutines-core-jvm-*.jar")
			bridge := proof.NewBridge(t, "jvm", proof.Facade, proof.Trouble)
			facade := filepath.Join(t.TempDir(), "facade")
			proof.Kotlin(t, facade, []string{bridge.Classes, coroutines}, proof.Sources(t, "kotlin/src", ".kt"))
			proof.Kotlin(t, t.TempDir(), []string{bridge.Classes, coroutines, facade}, []string{shown("Call.kt")})
		})
		t.Run(name+", Swift", func(t *testing.T) {
			if !proof.HasSwift(t) {
				return
			}
			if complaint, ok := proof.NewFramework(t).Swift("ios/Host/include/RHHost.h", shown("Call.swift")); !ok {
				t.Error(complaint)
			}
		})
	}
}
