package dataset

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// formats are the formats of files, by the end of their names.
var formats = map[string]Format{".csv": CSV, ".ndjson": NDJSON, ".jsonl": NDJSON, ".json": JSON}

// ReadDirectory reads the files of a directory that hold a dataset:
// profiles.csv, installations.ndjson, events.json and so on. A kind may have
// several files; other files are ignored, unless their names are close to one
// of these. It returns the rows in the order in which they are loaded and a
// digest of them, or an [*InvalidError] about all files.
func ReadDirectory(library *schemas.Library, directory fs.FS) (rows []Row, digest string, err error) {
	entries, err := fs.ReadDir(directory, ".")
	if err != nil {
		return nil, "", err
	}
	byKind := map[Kind][]string{}
	for _, entry := range entries {
		kind, is, err := kindOf(entry)
		if err != nil {
			return nil, "", err
		}
		if is {
			byKind[kind] = append(byKind[kind], entry.Name())
		}
	}
	if len(byKind) == 0 {
		return nil, "", errors.New("there is no dataset in it: it needs files such as profiles.csv, installations.csv or events.ndjson")
	}
	sum := sha256.New()
	var found faults
	for _, kind := range Kinds() {
		for _, name := range byKind[kind] {
			text, err := fs.ReadFile(directory, name)
			if err != nil {
				return nil, "", err
			}
			fmt.Fprintf(sum, "%s %d\n", name, len(text))
			sum.Write(text)
			read, err := Read(library, kind, formats[path.Ext(name)], name, bytes.NewReader(text))
			var invalid *InvalidError
			if errors.As(err, &invalid) {
				for _, fault := range invalid.Faults {
					found.add(fault)
				}
				found.more += invalid.More
				continue
			}
			if err != nil {
				return nil, "", fmt.Errorf("%s: %w", name, err)
			}
			rows = append(rows, read...)
		}
	}
	if err := found.err(); err != nil {
		return nil, "", err
	}
	return rows, hex.EncodeToString(sum.Sum(nil)), nil
}

// kindOf is the kind of rows in a file. A misspelt file name is an error, so that
// the file is not ignored silently.
func kindOf(entry fs.DirEntry) (Kind, bool, error) {
	ending := path.Ext(entry.Name())
	stem := strings.TrimSuffix(entry.Name(), ending)
	if _, known := formats[ending]; !known || entry.IsDir() {
		return "", false, nil
	}
	var names []string
	for _, kind := range Kinds() {
		names = append(names, string(kind))
	}
	if slices.Contains(names, stem) {
		return Kind(stem), true, nil
	}
	if likely := schemas.Likely(strings.ToLower(stem), names); likely != "" {
		return "", false, fmt.Errorf("%s holds no kind of rows that is known; did you mean %s%s?", entry.Name(), likely, ending)
	}
	return "", false, nil
}
