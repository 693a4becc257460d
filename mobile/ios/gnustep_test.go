//go:build proof

package ios_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// TestGNUstep runs the generated Objective-C on Linux, with GNUstep in the place of Apple's Foundation and GCC's runtime in the place
// of Apple's. That runtime knows no ARC, so a copy of the generated code is changed where it relies on it; all conversion between
// Objective-C and Go runs unchanged. The vectors, which are about rules, run through Go, Kotlin and Swift. Without ARC it leaks.
func TestGNUstep(t *testing.T) {
	proof.Need(t, "gcc")
	if _, err := os.Stat("/usr/include/GNUstep/Foundation/Foundation.h"); err != nil {
		proof.Missing(t, "there is no GNUstep on this machine: `REQUIRE_ALL=1 make test-mobile` sets it up")
	}
	clang := proof.Clang(t)
	root, dir := proof.Root(t), proof.Build(t, "gnustep")
	generated := filepath.Join(t.TempDir(), "generated")
	proof.Run(t, proof.Command{Dir: root, Name: "go", Arguments: []string{"tool", "gobind", "-lang=go,objc", "-prefix=" + proof.Prefix,
		"-outdir=" + generated, proof.Facade}})
	sources := filepath.Join(dir, "sources")
	proof.Do(t, os.RemoveAll(sources))
	for _, file := range proof.Glob(t, filepath.Join(generated, "src", "gobind", "*")) {
		name := filepath.Base(file)
		if !strings.HasSuffix(name, ".h") { // an ending _darwin would keep it out of a build for this machine
			name = strings.Replace(name, "_darwin.", "_gnustep.", 1)
		}
		text, err := os.ReadFile(file)
		if err == nil {
			err = os.MkdirAll(sources, 0o755)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(sources, name), []byte(withoutARC(string(text))), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	headers := filepath.Dir(filepath.Dir(strings.TrimSpace(proof.Run(t,
		proof.Command{Name: "gcc", Arguments: []string{"-print-file-name=include/objc/objc.h"}}))))
	flags := []string{"-D__GOBIND_DARWIN__", "-fobjc-runtime=gcc", "-fconstant-string-class=NSConstantString", "-fobjc-exceptions",
		"-fexceptions",
		"-D_NATIVE_OBJC_EXCEPTIONS", "-DGNUSTEP", "-DGNUSTEP_BASE_LIBRARY=1", "-I/usr/include/GNUstep", "-I" + headers, "-w"}
	archive := filepath.Join(dir, "bindings.a")
	proof.Run(t, proof.Command{Dir: root, Name: "go", Arguments: []string{"build", "-buildmode=c-archive", "-o", archive, sources},
		Environment: []string{"CGO_ENABLED=1", "CC=" + clang, "CGO_CFLAGS=-O1 " + strings.Join(flags, " "),
			"CGO_LDFLAGS=-L" + filepath.Dir(headers)}})
	runner := filepath.Join(dir, "runner")
	arguments := append(flags, "-I"+sources, "-o", runner, "gnustep/Crossing.m", "gnustep/Missing.m",
		"-Wl,--whole-archive", archive, "-Wl,--no-whole-archive", "-L"+filepath.Dir(headers), "-lgnustep-base", "-lobjc", "-lm", "-lpthread")
	proof.Run(t, proof.Command{Name: clang, Arguments: arguments})
	proof.Checks(t, proof.Command{Name: runner})
}

var (
	classBegins   = regexp.MustCompile(`(?m)^(@interface \w+ : \w+ <goSeqRefInterface.*?>) \{\n\}`)
	implemented   = regexp.MustCompile(`(?m)^@implementation (RHActions\w+|Universe\w+) \{\n\}`)
	cgoFlags      = regexp.MustCompile(`(?m)^#cgo (?:CFLAGS|LDFLAGS):.*$`)
	subscriptRead = "RefCounter *counter = _objs[@(refnum)];"
)

// withoutARC changes what the generated code leaves to ARC and to a newer runtime.
func withoutARC(text string) string {
	text = strings.ReplaceAll(text, "@import Foundation;", "#import <Foundation/Foundation.h>")
	// Properties are made by hand.
	text = classBegins.ReplaceAllString(text, "$1 {\n\tid __ref;\n}")
	text = implemented.ReplaceAllString(text, "@implementation $1\n@synthesize _ref = __ref;")
	text = strings.Replace(text, "@interface GoSeqRef : NSObject {\n}", "@interface GoSeqRef : NSObject {\n\tint32_t _refnum;\n\tid _obj;\n}",
		1)
	text = strings.Replace(text, "@implementation GoSeqRef {\n}", "@implementation GoSeqRef\n@synthesize refnum = _refnum, obj = _obj;", 1)
	text = strings.Replace(text, "@interface RefCounter : NSObject {\n}", "@interface RefCounter : NSObject {\n\tid _obj;\n\tint _cnt;\n}", 1)
	text = strings.Replace(text, "@implementation RefCounter {\n}", "@implementation RefCounter\n@synthesize obj = _obj, cnt = _cnt;", 1)
	text = strings.Replace(text, "@interface goSeqDictionary : NSObject {\n}",
		"@interface goSeqDictionary : NSObject {\n\tNSMutableDictionary *_dict;\n}", 1)
	text = strings.Replace(text, "@implementation goSeqDictionary\n", "@implementation goSeqDictionary\n@synthesize dict = _dict;\n", 1)
	text = strings.Replace(text, "@implementation RefTracker {\n}", "@implementation RefTracker", 1)
	// Nobody retains.
	text = strings.Replace(text, "    _obj = obj;\n    _cnt = 0;", "    _obj = [obj retain];\n    _cnt = 0;", 1)
	text = strings.Replace(text, "    _obj = obj;\n  }", "    _obj = [obj retain];\n  }", 1)
	text = strings.ReplaceAll(text, "__ref = ref;", "__ref = [ref retain];")
	// Subscripts are methods.
	text = strings.Replace(text, subscriptRead, "RefCounter *counter = [_objs objectForKey:@(refnum)];", 1)
	text = strings.Replace(text, "_refs[ptr] = refnum;", "[_refs setObject:refnum forKey:ptr];", 1)
	text = strings.Replace(text, "_objs[refnum] = counter;", "[_objs setObject:counter forKey:refnum];", 1)
	// The flags are those of the test.
	return cgoFlags.ReplaceAllStringFunc(text, func(line string) string {
		if strings.Contains(line, "LDFLAGS") {
			return "#cgo LDFLAGS: -lgnustep-base -lobjc -lm"
		}
		return "#cgo CFLAGS: -x objective-c"
	})
}
