//go:build proof

package ios_test

import (
	"debug/macho"
	"encoding/xml"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// required are the functions of which Apple wants to know why they are called, as symbols, by category. (developer.apple.com,
// "Describing use of required reason API".)
var required = map[string][]string{
	"NSPrivacyAccessedAPICategoryFileTimestamp": {"_stat", "_fstat", "_fstatat", "_lstat", "_getattrlist", "_getattrlistbulk", "_fgetattrlist",
		"_getattrlistat", "_stat$INODE64", "_fstat$INODE64", "_lstat$INODE64", "_fstatat$INODE64"},
	"NSPrivacyAccessedAPICategorySystemBootTime": {"_mach_absolute_time"},
	"NSPrivacyAccessedAPICategoryDiskSpace": {"_statfs", "_statvfs", "_fstatfs", "_fstatvfs", "_statfs$INODE64", "_fstatfs$INODE64",
		"_getattrlist", "_fgetattrlist", "_getattrlistat"},
	"NSPrivacyAccessedAPICategoryActiveKeyboards": {"_OBJC_CLASS_$_UITextInputMode"},
	"NSPrivacyAccessedAPICategoryUserDefaults":    {"_OBJC_CLASS_$_NSUserDefaults"},
}

// TestPrivacyManifest links the bound package for Apple's arm64, looks which of those functions it imports, and holds that against
// the manifest: what is used is declared, and nothing else is.
func TestPrivacyManifest(t *testing.T) {
	declared := readManifest(t, "PrivacyInfo.xcprivacy")
	imported := importedSymbols(t)
	if !slices.ContainsFunc(imported, func(symbol string) bool { return symbol == "_malloc" || symbol == "_pthread_create" }) {
		t.Fatalf("nothing that every program imports is in %q: the symbols are read wrongly", imported)
	}
	for category, symbols := range required {
		t.Run(category, func(t *testing.T) {
			var used []string
			for _, symbol := range symbols {
				if slices.Contains(imported, symbol) {
					used = append(used, symbol)
				}
			}
			switch reasons := declared[category]; {
			case len(used) > 0 && len(reasons) == 0:
				t.Errorf("%q are imported, and the manifest does not say so", used)
			case len(used) == 0 && reasons != nil:
				t.Error("it is declared, and nothing of it is imported")
			}
		})
	}
	for _, source := range proof.Glob(t, "Host/*.m") {
		text := proof.Get(os.ReadFile(source))(t)
		for _, class := range []string{"NSUserDefaults", "UITextInputMode", "NSFileManager", "systemUptime"} {
			if strings.Contains(string(text), class) {
				t.Errorf("%s uses %s, for which the manifest would have to give a reason", source, class)
			}
		}
	}
}

// importedSymbols links a program with the bound package and what gobind adds to it, and gives what it imports.
func importedSymbols(t *testing.T) []string {
	t.Helper()
	dir := proof.Build(t, "privacy")
	// What gobind adds in Go is package seq, which needs C; what that uses of the standard library stands here in its place.
	const program = `package main

import (
	"fmt"
	"os"
	"os/signal"

	"github.com/rehearsal-sdk/rehearsal/mobile/actions"
)

func main() {
	signal.Notify(make(chan os.Signal))
	registry := actions.NewRegistry(nil)
	fmt.Println(registry.PerformAsync("x", nil, nil).Await(1))
}
`
	proof.Do(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(program), 0o644))
	binary := filepath.Join(dir, "program")
	proof.Run(t, proof.Command{Dir: proof.Root(t), Name: "go", Arguments: []string{"build", "-trimpath", "-o", binary, dir},
		Environment: []string{"CGO_ENABLED=0", "GOOS=darwin", "GOARCH=arm64"}})
	file := proof.Get(macho.Open(binary))(t)
	defer file.Close()
	symbols := proof.Get(file.ImportedSymbols())(t)
	return symbols
}

// readManifest gives the reasons of each category that a manifest declares.
func readManifest(t *testing.T, name string) map[string][]string {
	t.Helper()
	text := proof.Get(os.ReadFile(name))(t)
	type dict struct {
		Keys    []string `xml:"key"`
		Strings []string `xml:"string"`
		Arrays  []struct {
			Strings []string `xml:"string"`
			Dicts   []struct {
				Keys  []string `xml:"key"`
				Type  string   `xml:"string"`
				Array []string `xml:"array>string"`
			} `xml:"dict"`
		} `xml:"array"`
	}
	var manifest struct {
		Dict dict `xml:"dict"`
	}
	proof.Do(t, xml.Unmarshal(text, &manifest))
	for _, key := range []string{"NSPrivacyTracking", "NSPrivacyTrackingDomains", "NSPrivacyCollectedDataTypes", "NSPrivacyAccessedAPITypes"} {
		proof.Hold(t, slices.Contains(manifest.Dict.Keys, key), "the manifest has no %s", key)
	}
	declared := map[string][]string{}
	for _, array := range manifest.Dict.Arrays {
		for _, entry := range array.Dicts {
			declared[entry.Type] = entry.Array
		}
	}
	if len(declared) == 0 {
		t.Fatal("no category was found in the manifest")
	}
	return declared
}
