//go:build proof

package jvm_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// app is the bridge and the Java of this folder.
type app struct {
	bridge  proof.Bridge
	classes []string
}

// run gives the command that runs a class of this folder.
func (a app) run(class string, flags ...string) proof.Command {
	return a.bridge.Java(flags, a.classes, "io.github.rehearsalsdk.proof."+class)
}

// TestJVM runs the generated Java, C and Go, built once. The vectors are replayed over this bridge by Kotlin.
func TestJVM(t *testing.T) {
	own := filepath.Join(t.TempDir(), "classes")
	a := app{proof.NewBridge(t, "jvm", proof.Facade, proof.Trouble), []string{own, proof.ContextStub(t)}}
	proof.Compile(t, own, []string{a.bridge.Classes}, proof.Sources(t, "java", ".java"))
	for _, class := range []string{"Bridge", "Threads", "Hostile", "Chaos"} {
		// Without threads of its own a class finds the same with the checks, which are slower; at night it runs as in an app too.
		if class == "Threads" || class == "Chaos" || proof.Nightly() {
			t.Run(class, func(t *testing.T) { proof.Checks(t, a.run(class, "-Xss1m")) })
		}
		t.Run(class+" with the JVM's own checks", func(t *testing.T) { proof.Checked(t, a.run(class, append(proof.CheckedJNI(), "-Xss1m")...)) })
	}
	// What is not needed any more is let go. Objects that stay are counted; without closing, 100,000 performs leave 170 MB, a million 1.7 GB.
	performs := fmt.Sprintf("-Dperforms=%d", proof.Count(5_000, 100_000, 1_000_000))
	t.Run("memory", func(t *testing.T) {
		proof.Checks(t, a.run("Memory", performs, "-Xms48m", "-Xmx48m", "-XX:+AlwaysPreTouch"))
	})
	for _, class := range []string{"Texts", "Closing"} {
		t.Run(class+" with the JVM's own checks", func(t *testing.T) { proof.Checked(t, a.run(class, append(proof.CheckedJNI(), "-Dperforms=5000")...)) })
	}
	// With objects that are closed, what is left is garbage of Java's, and takes as much of the heap as the JVM likes.
	t.Run("Closing", func(t *testing.T) { proof.Checks(t, a.run("Closing", performs, "-Xmx64m")) })
	// By texts, memory stays near where it was whatever the heap may grow to: as the JVM has it, and small.
	for _, flags := range [][]string{nil, {"-Xmx64m"}} {
		t.Run(strings.Join(append([]string{"texts"}, flags...), " "), func(t *testing.T) { proof.Checks(t, a.run("Texts", append(flags, performs)...)) })
	}
}
