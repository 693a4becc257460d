package input

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// formats are the formats of files, by the end of their names, which may have .gz behind it.
var formats = map[string]Format{".csv": CSV, ".ndjson": NDJSON, ".jsonl": NDJSON, ".json": JSON}

// Directory is the files of a directory that hold a dataset: profiles.csv, installations.ndjson, events.json and so on. A kind may have
// several files; other files are ignored, unless their names are close to one of these.
type Directory struct {
	// Progress, if not nil, is called now and then while the rows are read, with
	// how many there were so far, and which share of the bytes they are.
	Progress func(rows int64, done float64)

	// Fits, if not nil, refuses a number of rows that is too large.
	Fits func(rows int64) error

	library *schemas.Library
	from    fs.FS
	files   []rowsFile // in the order in which they are loaded
	bytes   int64
}

// rowsFile is a file of rows.
type rowsFile struct {
	name   string
	kind   Kind
	format Format
	bytes  int64
}

// OpenDirectory finds the files of a dataset. It reads nothing yet.
func OpenDirectory(library *schemas.Library, directory fs.FS) (*Directory, error) {
	entries, err := fs.ReadDir(directory, ".")
	if err != nil {
		return nil, err
	}
	d := &Directory{library: library, from: directory}
	for _, entry := range entries {
		if entry.IsDir() {
			continue
		}
		found, is, err := fileOf(entry.Name())
		if err != nil {
			return nil, err
		}
		if !is {
			continue
		}
		info, err := fs.Stat(directory, found.name)
		if err != nil {
			return nil, err
		}
		found.bytes = info.Size()
		d.files, d.bytes = append(d.files, found), d.bytes+found.bytes
	}
	if len(d.files) == 0 {
		return nil, errors.New("there is no dataset in it: it needs files such as profiles.csv, installations.csv or events.ndjson; " +
			"mockserver import makes them of export files")
	}
	slices.SortStableFunc(d.files, func(a, b rowsFile) int { return slices.Index(Kinds(), a.kind) - slices.Index(Kinds(), b.kind) })
	return d, nil
}

// Bytes is how large the files are.
func (d *Directory) Bytes() int64 { return d.bytes }

// Digest tells directories with other files or other rows apart.
func (d *Directory) Digest() (string, error) {
	sum := sha256.New()
	for _, of := range d.files {
		fmt.Fprintf(sum, "%s %d\n", of.name, of.bytes)
		file, err := d.from.Open(of.name)
		if err == nil {
			_, err = io.Copy(sum, file)
			file.Close()
		}
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// Each implements [Source]. It ends with an [*InvalidError] about all files if there are bad rows.
func (d *Directory) Each(ctx context.Context, visit func([]Row) error) error {
	var found Faults
	read, total, one := int64(0), int64(0), make([]Row, 1)
	fits := func() error {
		if d.Fits == nil {
			return nil
		}
		return d.Fits(total)
	}
	for _, of := range d.files {
		file, err := d.from.Open(of.name)
		if err != nil {
			return err
		}
		counted := &countingReader{from: file, context: ctx}
		err = readRows(d.library, of.kind, of.format, of.name, counted, func(row *Row) error {
			if total++; total%chunkRows == 0 {
				if err := fits(); err != nil {
					return err
				}
				if d.Progress != nil {
					d.Progress(total, float64(read+counted.bytes)/float64(max(d.bytes, 1)))
				}
			}
			one[0] = *row
			return visit(one)
		})
		file.Close()
		read += counted.bytes
		var invalid *InvalidError
		switch {
		case errors.As(err, &invalid):
			found.join(invalid)
		case err != nil:
			return fmt.Errorf("%s: %w", of.name, err)
		}
	}
	if err := found.Err(); err != nil {
		return err
	}
	return fits()
}

// countingReader counts what is read, until a context ends.
type countingReader struct {
	from    io.Reader
	context context.Context
	bytes   int64
}

func (c *countingReader) Read(into []byte) (int, error) {
	if err := c.context.Err(); err != nil {
		return 0, err
	}
	n, err := c.from.Read(into)
	c.bytes += int64(n)
	return n, err
}

// fileOf is the file of a dataset that has a name. A misspelt name is an error, so that the file is not ignored silently.
func fileOf(name string) (of rowsFile, is bool, err error) {
	stem := strings.TrimSuffix(name, ".gz")
	ending := path.Ext(stem)
	stem = strings.TrimSuffix(stem, ending)
	format, known := formats[ending]
	if !known {
		return of, false, nil
	}
	var names []string
	for _, kind := range Kinds() {
		if names = append(names, string(kind)); names[len(names)-1] == stem {
			return rowsFile{name: name, kind: kind, format: format}, true, nil
		}
	}
	if likely := schemas.Likely(strings.ToLower(stem), names); likely != "" {
		err = fmt.Errorf("%s holds no kind of rows that is known; did you mean %s%s?", name, likely, ending)
	}
	return of, false, err
}
