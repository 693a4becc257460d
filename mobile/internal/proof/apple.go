package proof

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Prefix is what the names of the bindings begin with in Objective-C.
const Prefix = "RH"

// Framework is the generated Objective-C, with its headers laid out as gomobile lays them out in a framework.
type Framework struct {
	t testing.TB
	// Generated is the folder of the generated sources.
	Generated string
	// Frameworks is the folder that Rehearsal.framework is in.
	Frameworks string
	stubs      string
	clang      string
	modules    string
}

// NewFramework generates the Objective-C.
func NewFramework(t testing.TB) Framework {
	t.Helper()
	f := Framework{t: t, clang: Clang(t)}
	root, dir := Root(t), t.TempDir()
	Run(t, Command{Dir: root, Name: "go", Arguments: []string{"tool", "gobind", "-lang=go,objc", "-prefix=" + Prefix, "-outdir=" + dir,
		Facade}})
	f.Generated, f.Frameworks = filepath.Join(dir, "src", "gobind"), filepath.Join(dir, "frameworks")
	f.stubs, f.modules = filepath.Join(root, "mobile", "ios", "stubs"), filepath.Join(dir, "modules")
	framework := filepath.Join(f.Frameworks, "Rehearsal.framework")
	for _, header := range []string{"ref.h", Prefix + "Actions.objc.h", "Universe.objc.h"} {
		copyFile(t, filepath.Join(f.Generated, header), filepath.Join(framework, "Headers", header))
	}
	write(t, filepath.Join(framework, "Headers", "Rehearsal.h"), "#include \""+Prefix+"Actions.objc.h\"\n#include \"Universe.objc.h\"\n")
	write(t, filepath.Join(framework, "Modules", "module.modulemap"),
		"framework module \"Rehearsal\" {\n\theader \"ref.h\"\n\theader \""+Prefix+
			"Actions.objc.h\"\n\theader \"Universe.objc.h\"\n\theader \"Rehearsal.h\"\n\n\texport *\n}\n")
	return f
}

// Clang finds a clang that knows Objective-C with ARC for Apple's platforms.
func Clang(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"clang-16", "clang"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	Missing(t, "there is no clang on this machine: `REQUIRE_ALL=1 make test-mobile` sets it up")
	return ""
}

// target are the flags that every source is compiled with.
func (f Framework) target() []string {
	return []string{"-nostdlibinc", "-isystem", f.stubs, "-fobjc-arc", "-fblocks", "-fmodules", "-fmodules-cache-path=" + f.modules}
}

// Compile compiles a source for iPhones and gives what the compiler says, and whether it agreed. There is no link: that takes Xcode.
func (f Framework) Compile(source string, flags ...string) (complaint string, ok bool) {
	f.t.Helper()
	arguments := append([]string{"-target", "arm64-apple-ios13.0", "-Werror"}, f.target()...)
	arguments = append(append(arguments, flags...), "-c", source, "-o", filepath.Join(f.t.TempDir(), "out.o"))
	_, complaint, err := Try(Command{Name: f.clang, Arguments: arguments})
	return complaint, err == nil
}

// Exports has cgo make the header by which the generated Objective-C calls Go, and gives its folder.
func (f Framework) Exports() string {
	f.t.Helper()
	out := filepath.Join(f.t.TempDir(), "cgo")
	arguments := []string{"tool", "cgo", "-objdir", out, "-importpath", "main", "--", "-D__GOBIND_DARWIN__", "-x", "objective-c", "-I",
		f.Generated}
	arguments = append(arguments, f.target()...)
	Run(f.t, Command{Dir: f.Generated, Name: "go", Arguments: append(arguments, "go_main.go", "go_actionsmain.go", "seq.go", "seq_darwin.go"),
		Environment: []string{"GOOS=ios", "GOARCH=arm64", "CGO_ENABLED=1", "CC=" + f.clang + " -target arm64-apple-ios13.0"}})
	return out
}

func write(t testing.TB, file, text string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(file), 0o755)
	if err == nil {
		err = os.WriteFile(file, []byte(text), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Changed writes a copy of a source with one thing replaced, and gives its name.
func Changed(t testing.TB, source, old, new string) string {
	t.Helper()
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), old) {
		t.Fatalf("%s does not contain %q", source, old)
	}
	file := filepath.Join(t.TempDir(), filepath.Base(source))
	write(t, file, strings.Replace(string(text), old, new, 1))
	return file
}
