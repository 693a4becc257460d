//go:build proof

package jvm_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/actions/actionstest"
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

// TestJVM runs the generated Java, C and Go, built once.
func TestJVM(t *testing.T) {
	own := filepath.Join(t.TempDir(), "classes")
	a := app{proof.NewBridge(t, "jvm", proof.Facade, proof.Trouble), []string{own, proof.ContextStub(t)}}
	proof.Compile(t, own, []string{a.bridge.Classes}, proof.Sources(t, "java", ".java"))
	t.Run("vectors on the thread of the caller", func(t *testing.T) { a.testVectors(t, "-Dbackground=false") })
	t.Run("vectors in the background", func(t *testing.T) { a.testVectors(t, "-Dbackground=true") })
	t.Run("vectors with the JVM's own checks", func(t *testing.T) {
		a.testVectors(t, append(proof.CheckedJNI(), "-Dbackground=true")...)
	})
	for _, class := range []string{"Bridge", "Threads", "Hostile", "Chaos"} {
		t.Run(class, func(t *testing.T) { proof.Checks(t, a.run(class, "-Xss1m")) })
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

// testVectors replays the cases that are the same on every surface, through Java.
func (a app) testVectors(t *testing.T, flags ...string) {
	runner := proof.Start(t, a.run("Runner", flags...))
	actionstest.RunVectors(t, filepath.Join(proof.Root(t), "actions", "testdata", "vectors"), runner.Subject)
}
