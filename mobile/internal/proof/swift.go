package proof

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// SwiftFacade is the folder of the façade's sources.
const SwiftFacade = "mobile/swift/Sources/RehearsalActions"

// SwiftPlayground is the folder of what joins a playground.
const SwiftPlayground = "mobile/swift/Sources/RehearsalPlayground"

// overlays are what Apple's frameworks add in Swift to their Objective-C, each after what it needs.
var overlays = []string{"ObjectiveC", "Foundation", "Dispatch", "UIKit", "SwiftUI"}

// HasSwift reports whether this run has a Swift compiler, which mobile/install.sh makes for the night. It is used wherever it is.
func HasSwift(t testing.TB) bool {
	t.Helper()
	if _, err := os.Stat(filepath.Join(Build(t, "tools"), "swift", "ready")); err == nil {
		return true
	}
	if Nightly() {
		Missing(t, "there is no Swift compiler in build/_mobile/tools: `TEST_LEVEL=nightly REQUIRE_ALL=1 sh mobile/install.sh` makes it")
	}
	t.Log("no Swift is compiled: there is no compiler, which is made for the night")
	return false
}

// Swift checks Swift as the real compiler does for iPhones: the headers of the bindings, of the host and of the stubs are imported as
// they are. It gives what the compiler says, and whether it agreed.
func (f Framework) Swift(host string, sources ...string) (complaint string, ok bool) {
	f.t.Helper()
	return f.SwiftOf("14.0", host, sources...)
}

// SwiftOf is Swift for a version of iOS, with flags among the sources.
func (f Framework) SwiftOf(version, host string, sources ...string) (complaint string, ok bool) {
	f.t.Helper()
	compiler, modules := f.swiftModules(host)
	flags := append(f.swiftFlags(version), "-typecheck", "-module-name", "Sample", "-I", modules)
	_, complaint, err := Try(Command{Name: compiler, Arguments: append(flags, sources...)})
	return complaint, err == nil
}

// Symbols has the compiler write down what Swift sees of the framework, and gives the file.
func (f Framework) Symbols(host string) string {
	f.t.Helper()
	_, modules := f.swiftModules(host)
	tool, out := filepath.Dir(Tool(f.t, "swift/ready")), f.t.TempDir()
	arguments := []string{"-module-name", "Rehearsal", "-target", "arm64-apple-ios13.0", "-resource-dir", filepath.Join(tool, "resources"),
		"-I", modules,
		"-I", f.stubs, "-F", f.Frameworks, "-module-cache-path", filepath.Join(out, "cache"), "-output-dir", out, "-minimum-access-level",
		"public"}
	Run(f.t, Command{Name: filepath.Join(tool, "symbols"), Arguments: append(arguments, f.swiftHeaders()...)})
	return filepath.Join(out, "Rehearsal.symbols.json")
}

// Graph has the compiler write down what Swift sees of the façade, with its comments, and gives the folder.
func (f Framework) Graph(host string) string {
	f.t.Helper()
	f.swiftModules(host)
	return filepath.Join(f.swiftDir(), "graph")
}

func (f Framework) swiftHeaders() []string {
	var flags []string
	for _, flag := range []string{"-nostdlibinc", "-isystem", f.stubs, "-fobjc-arc", "-fblocks"} {
		flags = append(flags, "-Xcc", flag)
	}
	return flags
}

func (f Framework) swiftFlags(version string) []string {
	resources := filepath.Join(filepath.Dir(Tool(f.t, "swift/ready")), "resources")
	flags := []string{"-frontend", "-target", "arm64-apple-ios" + version, "-resource-dir", resources, "-O", "-warnings-as-errors",
		"-disable-implicit-string-processing-module-import", "-I", f.stubs, "-Fsystem", f.Frameworks, "-module-cache-path",
		filepath.Join(f.swiftDir(), "cache")}
	return append(flags, f.swiftHeaders()...)
}

func (f Framework) swiftDir() string { return filepath.Join(filepath.Dir(f.Frameworks), "swift") }

// swiftModules makes the modules of the overlays, of the host and of the façade, the last of them as an app extension would.
func (f Framework) swiftModules(host string) (compiler, modules string) {
	f.t.Helper()
	compiler, modules = filepath.Join(filepath.Dir(Tool(f.t, "swift/ready")), "compiler"), filepath.Join(f.swiftDir(), "modules")
	if _, err := os.Stat(modules); err == nil {
		return compiler, modules
	}
	copyFile(f.t, host, filepath.Join(modules, "RHHost.h"))
	write(f.t, filepath.Join(modules, "module.modulemap"), "module RehearsalHost {\n\theader \"RHHost.h\"\n\texport *\n}\n")
	make := func(name string, sources ...string) {
		flags := append(f.swiftFlags("13.0"), "-I", modules, "-emit-module", "-experimental-skip-all-function-bodies", "-parse-as-library",
			"-application-extension", "-module-name", name,
			"-o", filepath.Join(modules, name+".swiftmodule"))
		Run(f.t, Command{Name: compiler, Arguments: append(flags, sources...)})
	}
	root := Root(f.t)
	for _, overlay := range overlays {
		make(overlay, filepath.Join(root, "mobile", "ios", "overlays", overlay+".swift"))
	}
	graph := []string{"-emit-symbol-graph", "-emit-symbol-graph-dir", filepath.Join(f.swiftDir(), "graph"),
		"-symbol-graph-minimum-access-level", "public"}
	make("RehearsalPlayground", Sources(f.t, filepath.Join(root, SwiftPlayground), ".swift")...)
	make("RehearsalActions", append(graph, Sources(f.t, filepath.Join(root, SwiftFacade), ".swift")...)...)
	return compiler, modules
}

// LinuxSwift builds Swift for this machine.
type LinuxSwift struct {
	t testing.TB
	// Dir is where modules, objects and programs are.
	Dir, tool string
}

// NewLinuxSwift builds into a folder.
func NewLinuxSwift(t testing.TB, dir string) LinuxSwift {
	t.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		Missing(t, "Swift is built for Linux on amd64 only")
	}
	Need(t, "gcc")
	return LinuxSwift{t, dir, filepath.Dir(Tool(t, "swift/ready"))}
}

// Module compiles a module.
func (l LinuxSwift) Module(name string, flags []string, sources ...string) {
	l.t.Helper()
	arguments := append([]string{"-frontend", "-c", "-target", "x86_64-pc-linux-gnu", "-resource-dir", filepath.Join(l.tool, "linux"), "-O",
		"-disable-implicit-string-processing-module-import", "-parse-as-library", "-module-cache-path", filepath.Join(l.Dir, "cache"), "-I",
		l.Dir,
		"-module-name", name, "-emit-module", "-emit-module-path", filepath.Join(l.Dir, name+".swiftmodule"), "-o",
		filepath.Join(l.Dir, name+".o")}, flags...)
	Run(l.t, Command{Name: filepath.Join(l.tool, "compiler"), Arguments: append(arguments, sources...)})
}

// Program links modules and a library of the folder, and gives the command that runs it.
func (l LinuxSwift) Program(name, library string, modules ...string) Command {
	l.t.Helper()
	runtimes := filepath.Join(l.tool, "linux", "linux")
	arguments := []string{"-o", filepath.Join(l.Dir, name), filepath.Join(runtimes, "x86_64", "swiftrt.o")}
	for _, module := range modules {
		arguments = append(arguments, filepath.Join(l.Dir, module+".o"))
	}
	arguments = append(arguments, "-L"+l.Dir, "-l"+library, "-L"+runtimes)
	for _, runtime := range strings.Fields("swiftCore swift_Concurrency Foundation FoundationNetworking " +
		"FoundationEssentials dispatch BlocksRuntime swiftDispatch swiftGlibc") {
		arguments = append(arguments, "-l"+runtime)
	}
	// The libraries are of another release of Debian, with a newer libc, and run with that.
	Run(l.t, Command{Name: "gcc", Arguments: append(arguments, "-Wl,--unresolved-symbols=ignore-in-shared-libs", "-Wl,-rpath-link,"+runtimes)})
	return Command{Name: filepath.Join(l.tool, "run"), Arguments: []string{filepath.Join(l.Dir, name)},
		Environment: []string{"LIBRARIES=" + l.Dir}}
}
