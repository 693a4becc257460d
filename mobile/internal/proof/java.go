package proof

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Tool gives a file that mobile/install.sh fetches, by a pattern of its name in the folder of tools.
func Tool(t testing.TB, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(Build(t, "tools"), pattern))
	if err != nil || len(found) == 0 {
		Missing(t, "there is no "+pattern+" in build/_mobile/tools: `REQUIRE_ALL=1 make test-mobile` fetches it")
	}
	// They are links to what all clones share.
	tool, err := filepath.EvalSymlinks(found[0])
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

// CompileAgainst compiles Java as gomobile does: with the classes of an android.jar in the place of Java's own.
func CompileAgainst(t testing.TB, android, to string, classPath, sources []string) {
	t.Helper()
	arguments := []string{"-Xlint:all,-options", "-Werror", "-encoding", "UTF-8", "-source", "8", "-target", "8", "-bootclasspath", android,
		"-cp", strings.Join(classPath, ":"), "-d", to}
	Run(t, Command{Name: "javac", Arguments: append(arguments, sources...)})
}

// Kotlin compiles Kotlin. Warnings are errors.
func Kotlin(t testing.TB, to string, classPath, sources []string, flags ...string) {
	t.Helper()
	Need(t, "java")
	compiler := filepath.Join(filepath.Dir(Tool(t, "maven/kotlin-compiler-embeddable-*.jar")), "*")
	arguments := []string{"-cp", compiler, "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler", "-no-stdlib", "-no-reflect", "-jvm-target", "1.8",
		"-Werror",
		"-Xsuppress-version-warnings", "-cp", strings.Join(append(slices.Clone(classPath), KotlinLibrary(t)), ":"), "-d", to}
	Run(t, Command{Name: "java", Arguments: append(append(arguments, flags...), sources...)})
}

// KotlinLibrary gives Kotlin's standard library.
func KotlinLibrary(t testing.TB) string {
	t.Helper()
	return Tool(t, "maven/kotlin-stdlib-*.jar")
}

// Class is what others see of a compiled class.
type Class struct {
	// Members are its own members, each as a name and a descriptor, with "static " in front where it is.
	Members []string
	// Ancestors are what it extends and implements.
	Ancestors []string
}

// Classes reads compiled classes as javap shows them.
func Classes(t testing.TB, classPath string, names ...string) map[string]Class {
	t.Helper()
	output := Run(t, Command{Name: "javap", Arguments: append([]string{"-s", "-protected", "-cp", classPath}, names...)})
	classes := map[string]Class{}
	current, previous := "", ""
	for line := range strings.Lines(output) {
		if groups := declaration.FindStringSubmatch(line); groups != nil {
			current = groups[1]
			var ancestors []string
			for ancestor := range strings.SplitSeq(generic.ReplaceAllString(groups[2]+","+groups[3], ""), ",") {
				if ancestor = strings.TrimSpace(ancestor); ancestor != "" {
					ancestors = append(ancestors, ancestor)
				}
			}
			classes[current] = Class{Ancestors: ancestors}
		} else if descriptor, found := strings.CutPrefix(strings.TrimSpace(line), "descriptor: "); found {
			before, _, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(previous), ";"), "(")
			words := strings.Fields(generic.ReplaceAllString(before, ""))
			member := words[len(words)-1] + " " + descriptor
			if slices.Contains(words, "static") {
				member = "static " + member
			}
			class := classes[current]
			class.Members = append(class.Members, member)
			classes[current] = class
		}
		previous = line
	}
	return classes
}

var (
	declaration = regexp.MustCompile(`(?:class|interface) ([\w.$]+)(?:<.*?>)?(?: extends ([\w.$<>?, ]+?))?(?: implements ([\w.$<>?, ]+?))? \{`)
	generic     = regexp.MustCompile(`<[^<>]*>`)
)

// ClassesIn gives the names of the compiled classes of a folder, with dots and dollars.
func ClassesIn(t testing.TB, dir string) []string {
	t.Helper()
	var classes []string
	for _, file := range Sources(t, dir, ".class") {
		name, err := filepath.Rel(dir, file)
		if err != nil {
			t.Fatal(err)
		}
		classes = append(classes, strings.ReplaceAll(strings.TrimSuffix(name, ".class"), string(os.PathSeparator), "."))
	}
	return classes
}
