package main

import (
	"bytes"
	"compress/gzip"
	"debug/elf"
	"encoding/json"
	"fmt"
	"os/exec"
	"path"
	"runtime"
	"slices"
	"strings"
)

// sizes tells what an .aar adds to an app, as it lies on the device and as it is downloaded, and what its libraries ask of the system.
func sizes(aar string) (string, error) {
	entries, err := readZip(aar)
	if err != nil {
		return "", err
	}
	var report strings.Builder
	fmt.Fprintf(&report, "%-36s %12s %12s\n", "", "bytes", "compressed")
	for _, entry := range entries {
		if len(entry.data) > 0 {
			fmt.Fprintf(&report, "%-36s %12d %12d\n", entry.name, len(entry.data), compressed(entry.data))
		}
	}
	for _, entry := range entries {
		if path.Base(entry.name) != libraryName {
			continue
		}
		file, err := elf.NewFile(bytes.NewReader(entry.data))
		if err != nil {
			return "", fmt.Errorf("%s: %w", entry.name, err)
		}
		symbols, err := file.ImportedSymbols()
		if err != nil {
			return "", fmt.Errorf("%s: %w", entry.name, err)
		}
		var names []string
		for _, symbol := range symbols {
			names = append(names, symbol.Name)
		}
		slices.Sort(names)
		fmt.Fprintf(&report, "\n%s imports: %s\n", entry.name, strings.Join(slices.Compact(names), " "))
	}
	return report.String(), nil
}

func compressed(data []byte) int {
	var out bytes.Buffer
	writer := gzip.NewWriter(&out)
	_, _ = writer.Write(data) // a buffer takes everything
	_ = writer.Close()
	return out.Len()
}

// billOfMaterials is a software bill of materials (CycloneDX) of the library: it is linked with Go's standard library, and with what
// gobind adds.
func billOfMaterials(purl string) ([]byte, error) {
	version, err := exec.Command("go", "list", "-m", "-f", "{{.Version}}", "golang.org/x/mobile").Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	component := func(name, version, purl, licence string) object {
		return object{"bom-ref": purl, "type": "library", "name": name, "version": version, "purl": purl,
			"licenses": []object{{"license": object{"id": licence}}}}
	}
	toolchain, mobile := strings.TrimPrefix(runtime.Version(), "go"), strings.TrimSpace(string(version))
	_, own, _ := strings.Cut(purl, "@")
	return json.MarshalIndent(object{
		"$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json", "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata": object{"component": component(mavenArtifact, own, purl, "Apache-2.0")},
		"components": []object{
			component("golang.org/x/mobile", mobile, "pkg:golang/golang.org/x/mobile@"+mobile, "BSD-3-Clause"),
			component("std", toolchain, "pkg:golang/std@"+toolchain, "BSD-3-Clause"),
		},
		"dependencies": []object{{"ref": purl, "dependsOn": []string{"pkg:golang/golang.org/x/mobile@" + mobile, "pkg:golang/std@" + toolchain}}},
	}, "", "  ")
}
