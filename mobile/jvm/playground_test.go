//go:build proof

package jvm_test

import (
	"path/filepath"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// joining compiles an app that joins, and gives what runs it.
func joining(t *testing.T) func(flags ...string) proof.Command {
	t.Helper()
	own := filepath.Join(t.TempDir(), "classes")
	bridge := proof.NewBridge(t, "jvm", proof.Facade, proof.Trouble)
	playground := filepath.Join(t.TempDir(), "playground")
	proof.CompileAgainst(t, proof.Tool(t, "android-23.jar"), playground, []string{bridge.Classes},
		proof.Sources(t, "../android/playground", ".java"))
	proof.Compile(t, own, []string{bridge.Classes, playground}, []string{"joining/Joining.java"})
	a := app{bridge, []string{own, playground, proof.ContextStub(t)}}
	return func(flags ...string) proof.Command { return a.run("Joining", flags...) }
}

// TestPlayground has a program on a JVM join.
func TestPlayground(t *testing.T) {
	run := joining(t)
	t.Run("a day", func(t *testing.T) { proof.Playground(t, run(), "jvm") })
	t.Run("two phones", func(t *testing.T) { proof.PlaygroundOfTwo(t, run("-Dmachine=Dalvik", "-Dallowed=true")) })
	t.Run("a server", func(t *testing.T) { proof.PlaygroundOfServer(t, run(), "jvm") })
	t.Run("nobody waits", func(t *testing.T) { proof.PlaygroundKeepsNobodyWaiting(t, run()) })
}

// TestPlaygroundSaysWhy: an app that does not join says why within three seconds, and what to do.
func TestPlaygroundSaysWhy(t *testing.T) {
	run, gone, refusing := joining(t), proof.Nowhere(t), proof.Refusing(t)
	for name, c := range map[string]struct {
		flags []string
		url   string
		says  []string
	}{
		"nothing listens": {nil, gone, []string{gone + ": nothing listens there.", "Next: start mockserver serve", "serve --lan"}},
		"a name":          {nil, "http://shop.invalid:9/", []string{"http://shop.invalid:9: the name is not known here", "http://127.0.0.1:9: "}},
		"no address":      {nil, "http://[", []string{"this is no address"}},
		"a wrong code":    {nil, refusing, []string{"refused this app (401): The code is wrong"}},
		"a phone": {[]string{"-Dmachine=Dalvik", "-Dallowed=true"}, gone,
			[]string{"run adb reverse tcp:", "http://10.0.2.2:", "http://10.0.3.2:"}},
		"no plain HTTP": {[]string{"-Dmachine=Dalvik", "-Dallowed=true", "-Dcleartext=true"}, "http://192.168.1.5:8080",
			[]string{"http://192.168.1.5:8080: this build forbids plain HTTP", "src/debug/AndroidManifest.xml",
				`android:networkSecurityConfig="@xml/playground"`, `<base-config cleartextTrafficPermitted="true" />`}},
		"a release": {[]string{"-Dmachine=Dalvik"}, refusing, []string{"not joined", "alsoInReleaseBuilds"}},
	} {
		t.Run(name, func(t *testing.T) { proof.PlaygroundSays(t, run(c.flags...).With(c.url), c.says...) })
	}
}
