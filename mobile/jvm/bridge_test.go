//go:build proof

package jvm_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/actions/actionstest"
	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// built builds the bridge and the Java of this folder.
func built(t *testing.T) (bridge proof.Bridge, classes []string) {
	t.Helper()
	bridge = proof.NewBridge(t, "jvm", proof.Facade, proof.Trouble)
	own := filepath.Join(t.TempDir(), "classes")
	proof.Compile(t, own, []string{bridge.Classes}, proof.Sources(t, "java", ".java"))
	return bridge, []string{own, proof.ContextStub(t)}
}

// TestVectors replays the cases that are the same on every surface, through Java, by each way to perform.
func TestVectors(t *testing.T) {
	bridge, classes := built(t)
	for name, property := range map[string]string{"on the thread of the caller": "-Dbackground=false", "in the background": "-Dbackground=true"} {
		t.Run(name, func(t *testing.T) {
			runner := proof.Start(t, bridge.Java([]string{property}, classes, "io.github.rehearsalsdk.proof.Runner"))
			actionstest.RunVectors(t, filepath.Join(proof.Root(t), "actions", "testdata", "vectors"), runner.Subject)
		})
	}
}

// TestBridge checks what only a real crossing can show.
func TestBridge(t *testing.T) {
	bridge, classes := built(t)
	for _, class := range []string{"Bridge", "Threads"} {
		class := "io.github.rehearsalsdk.proof." + class
		t.Run(class, func(t *testing.T) { proof.Checks(t, bridge.Java([]string{"-Xss1m"}, classes, class)) })
		t.Run(class+" with the JVM's own checks", func(t *testing.T) {
			stdout, stderr, err := proof.Try(bridge.Java([]string{"-Xcheck:jni", "-Xss1m"}, classes, class))
			if err != nil || !strings.HasSuffix(stdout, "done\n") || strings.Contains(stdout, "not ok ") {
				t.Fatalf("it did not end well: %v\n%s%s", err, stdout, stderr)
			}
			// The generated C does not check every call; what matters is that it goes on with no exception pending.
			for _, fatal := range []string{"exception pending", "FATAL ERROR"} {
				if strings.Contains(stdout+stderr, fatal) {
					t.Errorf("the JVM says %q", fatal)
				}
			}
		})
	}
}

// TestMemory checks that what is not needed any more is let go.
func TestMemory(t *testing.T) {
	bridge, classes := built(t)
	proof.Checks(t, bridge.Java([]string{"-Xms48m", "-Xmx48m", "-XX:+AlwaysPreTouch"}, classes, "io.github.rehearsalsdk.proof.Memory"))
}
