//go:build proof

package ios_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

const hostHeader = "Host/include/RHHost.h"

// TestSwift has the Swift compiler check the sample against the generated headers, which it imports as they are: names, labels,
// throws, optionals and protocols are those that Xcode will see.
func TestSwift(t *testing.T) {
	if !proof.HasSwift(t) {
		return
	}
	f := proof.NewFramework(t)
	if complaint, ok := f.Swift(hostHeader, append([]string{"-D", "DEBUG"}, proof.Glob(t, "Sample/*.swift")...)...); !ok {
		t.Error(complaint)
	}
}

// TestSceneDelegate looks for the class that the sample's Info.plist names: an app that names none, or another, shows nothing.
func TestSceneDelegate(t *testing.T) {
	plist := proof.Get(os.ReadFile("Sample/Info.plist"))(t)
	source := proof.Get(os.ReadFile("Sample/AppDelegate.swift"))(t)
	_, after, found := strings.Cut(string(plist), "<key>UISceneDelegateClassName</key>")
	_, after, named := strings.Cut(after, "<string>$(PRODUCT_MODULE_NAME).")
	class, _, _ := strings.Cut(after, "</string>")
	if !found || !named || !strings.Contains(string(source), "class "+class+": UIResponder, UIWindowSceneDelegate {") {
		t.Errorf("Info.plist names the scene delegate %q, which is not in AppDelegate.swift", class)
	}
}

// TestSwiftLooks changes the sample for the worse, and sees that the compiler finds it.
func TestSwiftLooks(t *testing.T) {
	if !proof.HasSwift(t) {
		return
	}
	f := proof.NewFramework(t)
	sources := proof.Glob(t, "Sample/*.swift")
	for _, c := range []struct{ name, old, new, says string }{
		{"an action with another parameter", "func perform(_ invocation: RHActionsInvocation?) throws {",
			"func perform(_ invocation: RHActionsInvocation) throws {", "different optionality"},
		{"a call that throws", "_ = try registry.register(", "_ = registry.register(", "can throw but is not marked with 'try'"},
		{"a registry that may be nil", "guard let registry = RHActionsRegistry(host.options()) else { return }",
			"let registry: RHActionsRegistry = RHActionsRegistry(host.options())", "must be unwrapped"},
		{"a wrong label", `action: SayHello()`, `handler: SayHello()`, "incorrect argument label"},
	} {
		t.Run(c.name, func(t *testing.T) {
			changed := slices.Clone(sources)
			i := slices.IndexFunc(changed, func(name string) bool { return strings.HasSuffix(name, "AppDelegate.swift") })
			changed[i] = proof.Changed(t, changed[i], c.old, c.new)
			if complaint, ok := f.Swift(hostHeader, changed...); ok || !strings.Contains(complaint, c.says) {
				t.Errorf("the compiler should say %q, it says %q", c.says, complaint)
			}
		})
	}
}
