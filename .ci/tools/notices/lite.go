package main

import (
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// linkedByTinyGo is what the compiler of the lite bundle links beside the packages, as licences/ has it: few machines have that compiler.
var linkedByTinyGo = []struct{ name, purl, licence, file string }{
	{"TinyGo", "pkg:golang/github.com/tinygo-org/tinygo", "BSD-3-Clause", "tinygo.txt"},
	{"wasi-libc", "pkg:github/WebAssembly/wasi-libc", "BSD-2-Clause AND CC0-1.0 AND MIT", "wasi-libc.txt"},
	{"compiler-rt", "pkg:github/llvm/llvm-project", "Apache-2.0 WITH LLVM-exception", "compiler-rt.txt"},
}

//go:embed licences
var licences embed.FS

var tinyGoVersion = regexp.MustCompile(`(?m)^version=(.+)$`)

// liteComponents are those of the lite bundle alone.
func liteComponents(root string) ([]component, error) {
	script, err := os.ReadFile(filepath.Join(root, ".ci", "tinygo"))
	if err != nil {
		return nil, err
	}
	version := tinyGoVersion.FindSubmatch(script)
	if version == nil {
		return nil, fmt.Errorf(".ci/tinygo names no version")
	}
	var all []component
	for _, linked := range linkedByTinyGo {
		text, err := licences.ReadFile("licences/" + linked.file)
		if err != nil {
			return nil, err
		}
		c := component{name: linked.name, purl: linked.purl, licence: linked.licence, texts: []string{strings.TrimSpace(string(text))}, parts: []string{partPage, partWebPages}}
		if linked.name == "TinyGo" {
			c.version = string(version[1])
			c.purl += "@v" + c.version
		}
		all = append(all, c)
	}
	return all, nil
}
