package main

import (
	"bytes"
	"debug/elf"
	"fmt"
	"path"
	"strings"
)

// checkAAR looks at what is about to ship: all parts are there, and 64-bit libraries can be loaded where pages have 16 kB.
func checkAAR(aar string) error {
	entries, err := readZip(aar)
	if err != nil {
		return err
	}
	var abis []string
	parts := map[string]bool{}
	for _, entry := range entries {
		parts[entry.name] = true
		if path.Base(entry.name) != libraryName {
			continue
		}
		if err := checkLibrary(entry.data); err != nil {
			return fmt.Errorf("%s: %w", entry.name, err)
		}
		abis = append(abis, fmt.Sprintf("%s %.1f MB", path.Base(path.Dir(entry.name)), float64(len(entry.data))/1e6))
	}
	for _, part := range []string{"AndroidManifest.xml", "proguard.txt", "classes.jar"} {
		if !parts[part] {
			return fmt.Errorf("%s has no %s", aar, part)
		}
	}
	if len(abis) == 0 {
		return fmt.Errorf("%s has no library", aar)
	}
	fmt.Printf("%s: %s\n", aar, strings.Join(abis, ", "))
	return nil
}

// libraryName is the library's own, which the generated Java asks for.
const libraryName = "libgojni.so"

// sameBuild tells whether two libraries have the same build identifier, and one at all.
func sameBuild(a, b []byte) bool {
	identifier := func(data []byte) []byte {
		file, err := elf.NewFile(bytes.NewReader(data))
		if err != nil {
			return nil
		}
		defer file.Close()
		section := file.Section(".note.gnu.build-id")
		if section == nil {
			return nil
		}
		note, _ := section.Data()
		return note
	}
	found := identifier(a)
	return found != nil && bytes.Equal(found, identifier(b))
}

func checkLibrary(data []byte) error {
	file, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return err
	}
	defer file.Close()
	if file.Class != elf.ELFCLASS64 {
		return nil
	}
	for _, segment := range file.Progs {
		if segment.Type == elf.PT_LOAD && segment.Align < pageSize {
			return fmt.Errorf("a segment is aligned to %d bytes, Google Play asks for %d", segment.Align, pageSize)
		}
	}
	return nil
}
