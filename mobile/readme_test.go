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
		proof.Kotlin(t, filepath.Join(t.TempDir(), "classes"), []string{android, bridge.Classes, host},
			[]string{proof.Shown(t, "README.md", "kotlin", "App.kt")})
	})
	t.Run("Swift", func(t *testing.T) {
		if !proof.HasSwift(t) {
			return
		}
		if complaint, ok := proof.NewFramework(t).Swift("ios/Host/include/RHHost.h", proof.Shown(t, "README.md", "swift", "QuickStart.swift")); !ok {
			t.Error(complaint)
		}
	})
}

// TestFirstAction compiles the same action in four languages.
func TestFirstAction(t *testing.T) {
	const page = "../docs/tutorials/first-action.md"
	t.Run("Android", func(t *testing.T) {
		android, coroutines := proof.Tool(t, "android-23.jar"), proof.Tool(t, "maven/kotlinx-coroutines-core-jvm-*.jar")
		bridge := proof.NewBridge(t, "jvm", proof.Facade, proof.Trouble)
		host := filepath.Join(t.TempDir(), "host")
		proof.CompileAgainst(t, android, host, []string{bridge.Classes}, proof.Sources(t, "android/host", ".java"))
		proof.Compile(t, filepath.Join(t.TempDir(), "java"), []string{android, bridge.Classes, host},
			[]string{proof.Shown(t, page, "java", "Greeter.java")})
		proof.Kotlin(t, t.TempDir(), []string{android, bridge.Classes, host, coroutines},
			append(proof.Sources(t, "kotlin/src", ".kt"), proof.Shown(t, page, "kotlin", "Greeter.kt")))
	})
	t.Run("iOS", func(t *testing.T) {
		f := proof.NewFramework(t)
		flags := []string{"-iframework", f.Frameworks, "-I", "ios/Host/include", "-Wall", "-Wextra", "-Wno-unused-parameter"}
		if complaint, ok := f.Compile(proof.Shown(t, page, "objc", "Greeter.m"), flags...); !ok {
			t.Error(complaint)
		}
		if !proof.HasSwift(t) {
			return
		}
		if complaint, ok := f.SwiftOf("13.0", "ios/Host/include/RHHost.h", "-parse-as-library", proof.Shown(t, page, "swift", "Greeter.swift")); !ok {
			t.Error(complaint)
		}
	})
}
