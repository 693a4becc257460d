package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"

	"github.com/rehearsal-sdk/rehearsal/schemas/formats"
)

const (
	pythonSummary  = "JSON Schema files of the actions and the export API, and jsonschema over them"
	pythonRequires = "jsonschema[format-nongpl]>=4.18,<5"
)

const pythonMetadata = `Metadata-Version: 2.4
Name: rehearsal-schemas
Version: {version}
Summary: {summary}
Author: The authors of Rehearsal
Project-URL: Source, https://github.com/rehearsal-sdk/rehearsal
License-Expression: Apache-2.0
License-File: LICENSE
Requires-Python: >=3.9
Requires-Dist: {requires}
Description-Content-Type: text/markdown

`

const pythonWheel = `Wheel-Version: 1.0
Generator: rehearsal
Root-Is-Purelib: true
Tag: py3-none-any
`

const pythonProject = `[build-system]
requires = ["flit_core>=3.11,<4"]
build-backend = "flit_core.buildapi"

[project]
name = "rehearsal-schemas"
version = "{version}"
description = "{summary}"
readme = "README.md"
license = "Apache-2.0"
license-files = ["LICENSE"]
requires-python = ">=3.9"
dependencies = ["{requires}"]
authors = [{name = "The authors of Rehearsal"}]
urls = {Source = "https://github.com/rehearsal-sdk/rehearsal"}

[tool.flit.module]
name = "rehearsal_schemas"
`

// packPython makes a wheel and a source distribution. A wheel is a zip file with a list of its hashes, so no build tool is needed.
func packPython(r release) error {
	code := entries{}
	if err := code.addTree("rehearsal_schemas/", "schemas/python/src/rehearsal_schemas", ".py", ".typed"); err != nil {
		return err
	}
	if err := code.addSchemas("rehearsal_schemas/files/"); err != nil {
		return err
	}
	code["rehearsal_schemas/formats.json"] = formats.Table
	beside := entries{}
	for name, file := range map[string]string{"README.md": "schemas/python/README.md", "LICENSE": "schemas/LICENSE"} {
		if err := beside.addFile(name, file); err != nil {
			return err
		}
	}
	values := []string{"{version}", r.version, "{summary}", pythonSummary, "{requires}", pythonRequires}
	metadata := append(fill(pythonMetadata, values...), beside["README.md"]...)

	wheel, info := entries{}, "rehearsal_schemas-"+r.version+".dist-info/"
	source, root := entries{}, "rehearsal_schemas-"+r.version+"/"
	for name, data := range code {
		wheel[name], source[root+"src/"+name] = data, data
	}
	for name, data := range beside {
		source[root+name] = data
	}
	source[root+"PKG-INFO"], source[root+"pyproject.toml"] = metadata, fill(pythonProject, values...)
	wheel[info+"METADATA"], wheel[info+"WHEEL"], wheel[info+"licenses/LICENSE"] = metadata, []byte(pythonWheel), beside["LICENSE"]

	var record bytes.Buffer
	for _, name := range wheel.order(nil) {
		sum := sha256.Sum256(wheel[name])
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", name, base64.RawURLEncoding.EncodeToString(sum[:]), len(wheel[name]))
	}
	fmt.Fprintf(&record, "%sRECORD,,\n", info)
	wheel[info+"RECORD"] = record.Bytes()

	data, err := wheel.zip(r.time)
	if err != nil {
		return err
	}
	if err := r.write("rehearsal_schemas-"+r.version+"-py3-none-any.whl", data); err != nil {
		return err
	}
	if data, err = source.tarball(r.time); err != nil {
		return err
	}
	return r.write("rehearsal_schemas-"+r.version+".tar.gz", data)
}
