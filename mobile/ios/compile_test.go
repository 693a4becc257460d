//go:build proof

package ios_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// hostFlags are what the host is compiled with beyond what everything is.
func hostFlags(f proof.Framework) []string {
	return []string{"-Wall", "-Wextra", "-Wno-unused-parameter", "-Wunguarded-availability", "-iframework", f.Frameworks, "-I", "Host", "-I",
		"Host/include"}
}

// TestCompiles compiles the generated Objective-C, as it is, and the host for iPhones, under ARC and without a warning.
func TestCompiles(t *testing.T) {
	f := proof.NewFramework(t)
	exports := f.Exports()
	for _, source := range append(proof.Glob(t, filepath.Join(f.Generated, "*.m")), filepath.Join(exports, "_cgo_export.c")) {
		t.Run(filepath.Base(source), func(t *testing.T) {
			flags := []string{"-D__GOBIND_DARWIN__", "-x", "objective-c", "-I", f.Generated, "-I", exports}
			if complaint, ok := f.Compile(source, flags...); !ok {
				t.Error(complaint)
			}
		})
	}
	for _, source := range proof.Glob(t, "Host/*.m") {
		t.Run(filepath.Base(source), func(t *testing.T) {
			if complaint, ok := f.Compile(source, hostFlags(f)...); !ok {
				t.Error(complaint)
			}
		})
	}
}

// TestCompilerLooks changes the host for the worse, and sees that the compiler finds it.
func TestCompilerLooks(t *testing.T) {
	f := proof.NewFramework(t)
	for _, c := range []struct{ name, source, old, new, says string }{
		{"a method of the protocol is missing", "Host/RHClipboard.m", "writeText:", "writeTexts:", "not implemented"},
		{"memory is managed by hand", "Host/RHClipboard.m", "[completion succeed]", "[[completion retain] succeed]", "ARC"},
		{"a version is not asked for", "Host/RHSettings.m", "@available(iOS 16.0, *)", "YES", "only available on iOS 16"},
		{"an unknown method of the library's", "Host/RHClipboard.m", "[completion succeed]", "[completion succeeded]", "no visible @interface"},
		{"a result of another type", "Host/RHNotifications.m", "[completion fail:RHTextOf(failure)]", "[completion fail:failure]",
			"incompatible pointer types"},
	} {
		t.Run(c.name, func(t *testing.T) {
			complaint, ok := f.Compile(proof.Changed(t, c.source, c.old, c.new), hostFlags(f)...)
			proof.Hold(t, !ok && strings.Contains(complaint, c.says), "the compiler should say %q, it says %q", c.says, complaint)
		})
	}
}
