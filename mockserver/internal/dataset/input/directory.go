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

// Directory is the files of a directory that hold a dataset: profiles.csv,
// installations.ndjson, events.json and so on. A kind may have several files;
// other files are ignored, unless their names are close to one of these.
type Directory struct {
	// Progress, if not nil, is called now and then while the rows are read, with
	// how many there were so far, and which share of the bytes they are.
	Progress func(rows int64, done float64)

	// Fits, if not nil, refuses a number of rows that is too large.
	Fits func(rows int64) error

	library *schemas.Library
	files   fs.FS
	names   []string // in the order in which they are loaded
	kinds   []Kind
	bytes   int64
}

// OpenDirectory finds the files of a dataset. It reads nothing yet.
func OpenDirectory(library *schemas.Library, directory fs.FS) (*Directory, error) {
	entries, err := fs.ReadDir(directory, ".")
	if err != nil {
		return nil, err
	}
	d := &Directory{library: library, files: directory}
	byKind := map[Kind][]string{}
	for _, entry := range entries {
		kind, is, err := KindOf(entry)
		if err != nil {
			return nil, err
		}
		if is {
			byKind[kind] = append(byKind[kind], entry.Name())
		}
	}
	for _, kind := range Kinds() {
		for _, name := range byKind[kind] {
			d.names, d.kinds = append(d.names, name), append(d.kinds, kind)
			info, err := fs.Stat(directory, name)
			if err != nil {
				return nil, err
			}
			d.bytes += info.Size()
		}
	}
	if len(d.names) == 0 {
		return nil, errors.New("there is no dataset in it: it needs files such as profiles.csv, installations.csv or events.ndjson; " +
			"mockserver import makes them of export files")
	}
	return d, nil
}

// Bytes is how large the files are.
func (d *Directory) Bytes() int64 { return d.bytes }

// Digest tells directories with other files or other rows apart.
func (d *Directory) Digest() (string, error) {
	sum := sha256.New()
	for _, name := range d.names {
		file, err := d.files.Open(name)
		if err != nil {
			return "", err
		}
		info, err := file.Stat()
		if err == nil {
			fmt.Fprintf(sum, "%s %d\n", name, info.Size())
			_, err = io.Copy(sum, file)
		}
		file.Close()
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// Each implements [Source]. It ends with an [*InvalidError] about all files if
// there are bad rows.
func (d *Directory) Each(ctx context.Context, visit func([]Row) error) error {
	var found Faults
	one := make([]Row, 1)
	read, total := int64(0), int64(0)
	for i, name := range d.names {
		file, err := d.files.Open(name)
		if err != nil {
			return err
		}
		counted := &countingReader{from: file, context: ctx}
		err = readRows(d.library, d.kinds[i], formats[path.Ext(strings.TrimSuffix(name, ".gz"))], name, counted, func(row *Row) error {
			if total++; total%chunkRows == 0 {
				if err := d.fits(total); err != nil {
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
		if errors.As(err, &invalid) {
			for _, fault := range invalid.Faults {
				found.Add(fault)
			}
			found.more += invalid.More
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if err := found.Err(); err != nil {
		return err
	}
	return d.fits(total)
}

func (d *Directory) fits(rows int64) error {
	if d.Fits == nil {
		return nil
	}
	return d.Fits(rows)
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

// KindOf is the kind of rows in a file of a dataset. A misspelt file name is an error,
// so that the file is not ignored silently.
func KindOf(entry fs.DirEntry) (Kind, bool, error) {
	name := strings.TrimSuffix(entry.Name(), ".gz")
	ending := path.Ext(name)
	stem := strings.TrimSuffix(name, ending)
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
