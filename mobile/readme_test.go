//go:build proof

package mobile_test

import (
	"path/filepath"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// TestQuickStarts compiles what the README shows.
func TestQuickStarts(t *testing.T) {
	t.Run("Kotlin", func(t *testing.T) {
		android := proof.Tool(t, "android-23.jar")
		bridge := proof.NewBridge(t, "jvm", proof.Facade, proof.Trouble)
		host := filepath.Join(t.TempDir(), "host")
		proof.CompileAgainst(t, android, host, []string{bridge.Classes}, proof.Sources(t, "android/host", ".java"))
		proof.Kotlin(t, filepath.Join(t.TempDir(), "classes"), []string{android, bridge.Classes, host}, []string{proof.Shown(t, "README.md", "kotlin", "App.kt")})
	})
	t.Run("Swift", func(t *testing.T) {
		if complaint, ok := proof.NewFramework(t).Swift("ios/Host/include/RHHost.h", proof.Shown(t, "README.md", "swift", "QuickStart.swift")); !ok {
			t.Error(complaint)
		}
	})
}
