//go:build proof

package mobile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// TestQuickStarts compiles what the README shows.
func TestQuickStarts(t *testing.T) {
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Run("Kotlin", func(t *testing.T) {
		android := proof.Tool(t, "android-23.jar")
		bridge := proof.NewBridge(t, "jvm", proof.Facade, proof.Trouble)
		host := filepath.Join(t.TempDir(), "host")
		proof.CompileAgainst(t, android, host, []string{bridge.Classes}, proof.Sources(t, "android/host", ".java"))
		proof.Kotlin(t, filepath.Join(t.TempDir(), "classes"), []string{android, bridge.Classes, host}, []string{shown(t, page, "kotlin", "App.kt")})
	})
	t.Run("Swift", func(t *testing.T) {
		if complaint, ok := proof.NewFramework(t).Swift("ios/Host/include/RHHost.h", shown(t, page, "swift", "QuickStart.swift")); !ok {
			t.Error(complaint)
		}
	})
}

// shown writes the code of a language that a page shows to a file.
func shown(t *testing.T, page []byte, language, name string) string {
	t.Helper()
	_, after, found := strings.Cut(string(page), "```"+language+"\n")
	code, _, closed := strings.Cut(after, "```")
	if !found || !closed {
		t.Fatalf("the page shows no %s", language)
	}
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(code), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}
