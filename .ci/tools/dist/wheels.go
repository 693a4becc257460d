package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const wheelMetadata = `Metadata-Version: 2.4
Name: rehearsal
Version: %s
Summary: A mock of an asynchronous export service, with a playground, for your machine and your tests
License-Expression: Apache-2.0
License-File: LICENSE
License-File: THIRD_PARTY_NOTICES
Project-URL: Source, https://github.com/rehearsal-sdk/rehearsal
Requires-Python: >=3.9
Provides-Extra: pytest
Requires-Dist: pytest >=7 ; extra == "pytest"
Classifier: Framework :: Pytest
Description-Content-Type: text/markdown

`

// The command is the program itself, which installers copy; its other name starts Python, since a wheel has no links.
const wheelEntries = `[console_scripts]
mockserver = rehearsal.__main__:main

[pytest11]
rehearsal = rehearsal.pytest_plugin
`

// wheelTags are the platforms of a wheel. A static program runs on any C library; macOS is as old as Go supports.
var wheelTags = map[string][]string{
	"linux/amd64":   {"manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"},
	"linux/arm64":   {"manylinux_2_17_aarch64", "manylinux2014_aarch64", "musllinux_1_1_aarch64"},
	"darwin/amd64":  {"macosx_12_0_x86_64"},
	"darwin/arm64":  {"macosx_12_0_arm64"},
	"windows/amd64": {"win_amd64"},
	"windows/arm64": {"win_arm64"},
}

// packWheels makes a wheel per system, and one without the program for all others, where tests name a server that runs already. A wheel is a zip file with a list of its hashes at the end, so no build tool is needed.
func packWheels(r release, programs []program) error {
	sources := filepath.Join(r.root, "mockserver/packages/python")
	readme, err := os.ReadFile(filepath.Join(sources, "README.md"))
	if err != nil {
		return err
	}
	var code files
	for _, name := range []string{"__init__.py", "__main__.py", "client.py", "py.typed", "pytest_plugin.py"} {
		data, err := os.ReadFile(filepath.Join(sources, "rehearsal", name))
		if err != nil {
			return err
		}
		code = append(code, file{name: "rehearsal/" + name, data: data})
	}
	licences, err := r.licences("")
	if err != nil {
		return err
	}
	base := "rehearsal-" + r.version
	info := base + ".dist-info/"
	code = append(code,
		file{name: info + "METADATA", data: append(fmt.Appendf(nil, wheelMetadata, r.version), readme...)},
		file{name: info + "entry_points.txt", data: []byte(wheelEntries)},
		file{name: info + "licenses/" + licences[0].name, data: licences[0].data},
		file{name: info + "licenses/" + licences[1].name, data: licences[1].data},
		file{name: info + "sboms/rehearsal.cdx.json", data: licences[2].data},
	)
	for _, p := range programs {
		if err := r.packWheel(append(files{{name: base + ".data/scripts/" + p.file(), data: p.data, mode: 0o755}}, code...), wheelTags[p.system+"/"+p.arch]...); err != nil {
			return err
		}
	}
	return r.packWheel(code, "any")
}

// packWheel writes the wheel of some platforms.
func (r release) packWheel(content files, platforms ...string) error {
	base := "rehearsal-" + r.version
	info := base + ".dist-info/"
	wheel := fmt.Sprintf("Wheel-Version: 1.0\nGenerator: rehearsal\nRoot-Is-Purelib: %t\n", platforms[0] == "any")
	for _, platform := range platforms {
		wheel += "Tag: py3-none-" + platform + "\n"
	}
	content = append(files{{name: info + "WHEEL", data: []byte(wheel)}}, content...).sorted()
	var record bytes.Buffer
	for _, each := range content {
		hash := sha256.Sum256(each.data)
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", each.name, base64.RawURLEncoding.EncodeToString(hash[:]), len(each.data))
	}
	fmt.Fprintf(&record, "%sRECORD,,\n", info)
	data, err := append(content, file{name: info + "RECORD", data: record.Bytes()}).zipped(r.time)
	if err != nil {
		return err
	}
	return r.write(base+"-py3-none-"+strings.Join(platforms, ".")+".whl", data)
}
