package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
)

type object = map[string]any

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
