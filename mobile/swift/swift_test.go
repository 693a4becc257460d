//go:build proof

package swift_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/actions/actionstest"
	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

const hostHeader = "../ios/Host/include/RHHost.h"

// TestSwift has the Swift compiler check the façade, the samples and what the page shows for iPhones, against the generated headers.
func TestSwift(t *testing.T) {
	if !proof.HasSwift(t) {
		return
	}
	f := proof.NewFramework(t)
	facade := proof.Glob(t, "Sources/RehearsalActions/*.swift")
	for _, c := range []struct {
		name, version string
		sources       []string
	}{
		// It has to do in an extension, and in both modes of the language.
		{"façade", "13.0", append([]string{"-parse-as-library", "-application-extension", "-strict-concurrency=complete"}, facade...)},
		{"façade, Swift 6", "13.0", append([]string{"-parse-as-library", "-application-extension", "-swift-version", "6"}, facade...)},
		{"playground", "13.0", append([]string{"-parse-as-library", "-application-extension", "-strict-concurrency=complete"},
			proof.Glob(t, "Sources/RehearsalPlayground/*.swift")...)},
		{"sample for SwiftUI", "15.0", append([]string{"-parse-as-library"}, proof.Glob(t, "samples/SwiftUI/*.swift")...)},
		{"sample with plain views", "14.0", append([]string{"-parse-as-library"}, proof.Glob(t, "samples/Views/*.swift")...)},
		{"what the page shows", "13.0", []string{"-parse-as-library", proof.Shown(t, "README.md", "swift", "Shown.swift")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if complaint, ok := f.SwiftOf(c.version, hostHeader, c.sources...); !ok {
				t.Error(complaint)
			}
		})
	}
	for _, c := range []struct{ name, code, says string }{
		{"the core knows no host", "import RehearsalActions\nlet host = RHHost()\n", "cannot find 'RHHost' in scope"},
		{"an extension has no application", "import UIKit\nlet application = UIApplication.shared\n",
			"'shared' is unavailable in application extensions"},
		{"an action that is no value", "import RehearsalActions\nlet x: ActionValue = 1 as Int\n", "cannot convert value of type 'Int'"},
		{"a result is awaited", "import RehearsalActions\nfunc f(_ a: ActionRegistry) -> ActionResult { a.perform(\"x\") }\n",
			"does not support concurrency"},
		{"a case is forgotten", "import RehearsalActions\nfunc f(_ r: ActionResult) { switch r { case .performed: break } }\n",
			"must be exhaustive"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "Code.swift")
			proof.Do(t, os.WriteFile(file, []byte(c.code), 0o644))
			if complaint, ok := f.SwiftOf("13.0", hostHeader, "-parse-as-library", "-application-extension", file); ok ||
				!strings.Contains(complaint, c.says) {
				t.Errorf("the compiler should say %q, it says %q", c.says, complaint)
			}
		})
	}
}

// TestOnLinux compiles the façade, as it is, for Linux and runs it over Go. Swift for Linux knows no Objective-C: a module is
// generated that has the framework's name and what the compiler sees in its headers, and that calls Go in another way. What does
// not run, therefore, is gobind's Objective-C, which GNUstep runs elsewhere, and Swift's import of it.
func TestOnLinux(t *testing.T) {
	if !proof.HasSwift(t) {
		return
	}
	m := newMirror(t, proof.NewFramework(t).Symbols(hostHeader))
	dir := proof.Build(t, "swift")
	linux := proof.NewLinuxSwift(t, dir)
	bridge := filepath.Join(dir, "bridge")
	for _, file := range proof.Glob(t, "linux/bridge/*") {
		text, err := os.ReadFile(file)
		if err == nil {
			err = os.MkdirAll(bridge, 0o755)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(bridge, filepath.Base(file)), text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	m.write(t, filepath.Join(dir, "Rehearsal.swift"), filepath.Join(bridge, "table.go"))
	proof.Run(t, proof.Command{Dir: proof.Root(t), Name: "go", Arguments: []string{"build", "-tags", "swiftbridge", "-buildmode=c-shared",
		"-o", filepath.Join(dir, "librehearsal.so"), bridge},
		Environment: []string{"CGO_ENABLED=1", "CC=gcc"}})
	linux.Module("Rehearsal", []string{"-I", bridge}, append(proof.Glob(t, "linux/Rehearsal/*.swift"),
		filepath.Join(dir, "Rehearsal.swift"))...)
	linux.Module("RehearsalActions", []string{"-I", bridge}, proof.Glob(t, "Sources/RehearsalActions/*.swift")...)
	linux.Module("RehearsalPlayground", []string{"-I", bridge}, proof.Glob(t, "Sources/RehearsalPlayground/*.swift")...)
	linux.Module("Proof", []string{"-I", bridge}, append(proof.Glob(t, "proof/*.swift"),
		proof.Shown(t, "README.md", "swift", "Shown.swift"))...)
	program := linux.Program("proof", "rehearsal", "Proof", "RehearsalPlayground", "RehearsalActions", "Rehearsal")

	run := func(arguments ...string) proof.Command {
		c := program
		c.Arguments = append(append([]string{}, program.Arguments...), arguments...)
		return c
	}
	for name, how := range map[string]string{"closures": "closures", "tasks": "tasks", "performed in the background": "background"} {
		t.Run("vectors, "+name, func(t *testing.T) {
			runner := proof.Start(t, run("vectors", how))
			actionstest.RunVectors(t, filepath.Join(proof.Root(t), "actions", "testdata", "vectors"), runner.Subject)
		})
	}
	joins := run("joining")
	joins.Environment = append(slices.Clone(joins.Environment), "ALLOWED=1", "HOME="+t.TempDir())
	t.Run("joins a playground", func(t *testing.T) { proof.Playground(t, joins, "ios") })
	t.Run("joins a server", func(t *testing.T) { proof.PlaygroundOfServer(t, joins, "ios") })
	t.Run("keeps nobody waiting", func(t *testing.T) { proof.PlaygroundKeepsNobodyWaiting(t, joins) })
	for name, c := range map[string]struct{ url, says string }{
		"nothing listens": {proof.Nowhere(t), ": nothing listens there."},
		"a name":          {"http://shop.invalid:9/", "http://shop.invalid:9: the name is not known here"},
		"no address":      {"http://[", "this is no address"},
		"a wrong code":    {proof.Refusing(t), "refused this app (401): The code is wrong"},
	} {
		t.Run(name, func(t *testing.T) { proof.PlaygroundSays(t, joins.With(c.url), c.says) })
	}
	t.Run("a release", func(t *testing.T) {
		proof.PlaygroundSays(t, run("joining", "http://127.0.0.1:9"), "alsoInReleaseBuilds")
	})
	t.Run("façade", func(t *testing.T) { proof.Checks(t, run("facade")) })
	t.Run("what the page shows", func(t *testing.T) { proof.Checks(t, run("shown")) })
}
