package proof

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// Facade is the package that apps are given, and Trouble one that tests bind together with it.
const (
	Facade  = "./mobile/actions"
	Trouble = "./mobile/jvm/trouble"
)

// JavaPackage is where the Java classes of bound packages are; see mobile/pack.
const JavaPackage = "io.github.rehearsalsdk"

// Bridge is the bindings built for this machine.
type Bridge struct {
	// Classes is the folder of the generated classes, without the stand-in for Android's Context.
	Classes string
	// Sources is the folder of the generated Java.
	Sources string
	// Library is the folder of the shared library.
	Library string
}

// NewBridge builds the generated Java, C and Go of packages for a JVM on this machine, unless it has been built before. Nothing is changed
// that ships: files whose
// names end in _android are given another name, for that ending would keep them out of a build for this machine.
func NewBridge(t testing.TB, name string, packages ...string) Bridge {
	t.Helper()
	if runtime.GOOS != "linux" {
		Missing(t, "the bridge is built on Linux only")
	}
	Need(t, "java", "javac", "gcc", "ar")
	root, dir := Root(t), Build(t, name)
	defer lock(t, dir)()
	generated, library, classes := filepath.Join(dir, "generated"), filepath.Join(dir, "library"), filepath.Join(dir, "classes")
	java, shim := filepath.Join(generated, "java"), filepath.Join(root, "mobile", "jvm", "shim")
	built := Bridge{Classes: classes, Sources: java, Library: library}
	made, stamp := filepath.Join(dir, "made"), stampOf(t, root, shim, packages)
	if before, err := os.ReadFile(made); err == nil && string(before) == stamp {
		return built
	}
	remove(t, made)
	remove(t, generated)
	arguments := []string{"run", "./mobile/pack/gobind", "-lang=go,java", "-javapkg=" + JavaPackage, "-outdir=" + generated}
	Run(t, Command{Dir: root, Name: "go", Arguments: append(arguments, packages...)})

	// The Go and C.
	sources := filepath.Join(dir, "bridge")
	remove(t, sources)
	for _, file := range Glob(t, filepath.Join(generated, "src", "gobind", "*")) {
		name := strings.Replace(filepath.Base(file), "_android.c", "_jvm.c", 1)
		copyFile(t, file, filepath.Join(sources, strings.Replace(name, "_android.go", "_jvm.go", 1)))
	}
	log := filepath.Join(dir, "log.o")
	Run(t, Command{Name: "gcc", Arguments: []string{"-O2", "-fPIC", "-I" + shim, "-c", filepath.Join(shim, "log.c"), "-o", log}})
	Run(t, Command{Name: "ar", Arguments: []string{"rcs", filepath.Join(dir, "liblog.a"), log}})
	headers := filepath.Join(JavaHome(t), "include")
	Run(t, Command{Dir: root, Name: "go",
		Arguments: []string{"build", "-buildmode=c-shared", "-trimpath", "-ldflags=-s -w", "-o", filepath.Join(library, "libgojni.so"), sources},
		Environment: []string{"CGO_ENABLED=1", "CC=gcc",
			// The JDK and the NDK declare AttachCurrentThread with different pointers, and gobind compiles with -Werror.
			"CGO_CFLAGS=-O2 -D__GOBIND_ANDROID__ -Wno-incompatible-pointer-types -I" + shim + " -I" + headers + " -I" + filepath.Join(headers,
				"linux"),
			"CGO_LDFLAGS=-L" + dir}})

	// The Java.
	remove(t, classes)
	Compile(t, classes, []string{ContextStub(t)}, Sources(t, java, ".java"))
	write(t, made, stamp)
	return built
}

// stampOf is another text whenever a bridge would be another: it has the build identifiers of all Go that goes into it or makes it, the
// C beside it, this file and the JDK.
func stampOf(t testing.TB, root, shim string, packages []string) string {
	t.Helper()
	list := []string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.BuildID}}", "./mobile/pack/gobind", "./mobile/internal/proof"}
	stamp := Run(t, Command{Dir: root, Name: "go", Arguments: append(list, packages...)}) + JavaHome(t)
	for _, file := range Sources(t, shim, ".c", ".h") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		stamp += "\n" + string(text)
	}
	return stamp
}

// ContextStub gives the folder of a class android.content.Context, the one class of Android's that the generated code names.
func ContextStub(t testing.TB) string {
	t.Helper()
	classes := filepath.Join(Build(t, "context"), "classes")
	source := filepath.Join(Build(t, "context"), "Context.java")
	if err := os.WriteFile(source, []byte("package android.content;\n\npublic class Context {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	Compile(t, classes, nil, []string{source})
	return classes
}

// Compile compiles Java for Java 8, as gomobile does.
func Compile(t testing.TB, to string, classPath, sources []string) {
	t.Helper()
	arguments := []string{"-nowarn", "-Xlint:-options", "-encoding", "UTF-8", "--release", "8", "-d", to}
	if len(classPath) > 0 {
		arguments = append(arguments, "-cp", strings.Join(classPath, ":"))
	}
	Run(t, Command{Name: "javac", Arguments: append(arguments, sources...)})
}

// JavaHome gives the folder of the JDK in use.
func JavaHome(t testing.TB) string {
	t.Helper()
	_, properties, err := Try(Command{Name: "java", Arguments: []string{"-XshowSettings:properties", "-version"}})
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(properties) {
		if home, found := strings.CutPrefix(strings.TrimSpace(line), "java.home = "); found {
			return home
		}
	}
	t.Fatal("java does not tell where it is")
	return ""
}

// Java gives the command that runs a class with the bridge.
func (b Bridge) Java(flags, classPath []string, class string, arguments ...string) Command {
	all := append([]string{"-Djava.library.path=" + b.Library, "-cp", strings.Join(append([]string{b.Classes}, classPath...), ":")}, flags...)
	return Command{Name: "java", Arguments: append(append(all, class), arguments...)}
}

// lock keeps the tests of other packages out of a folder until the function that it gives is called.
func lock(t testing.TB, dir string) func() {
	t.Helper()
	file, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o644)
	if err == nil {
		err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX)
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() { _ = file.Close() }
}

func remove(t testing.TB, dir string) {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
}

func copyFile(t testing.TB, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(to), 0o755)
	}
	if err == nil {
		err = os.WriteFile(to, text, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
