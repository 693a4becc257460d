package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// entries are the files of a package by their paths in it.
type entries map[string][]byte

// addFile adds a file of the repository.
func (e entries) addFile(name, file string) error {
	data, err := os.ReadFile(file)
	e[name] = data
	return err
}

// addTree adds the files with an ending below a folder of the repository.
func (e entries) addTree(prefix, folder string, endings ...string) error {
	return fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || len(endings) > 0 && !slices.Contains(endings, path.Ext(name)) {
			return err
		}
		return e.addFile(prefix+name, folder+"/"+name)
	})
}

// addSchemas adds the schema files, with the paths that their references expect.
func (e entries) addSchemas(prefix string) error {
	library, err := schemas.Embedded()
	if err != nil {
		return err
	}
	for _, name := range library.Names() {
		e[prefix+name] = library.Source(name)
	}
	return nil
}

// zip makes a zip file: first the entries that are named, then the rest, sorted.
func (e entries) zip(when time.Time, first ...string) ([]byte, error) {
	var data bytes.Buffer
	writer := zip.NewWriter(&data)
	for _, name := range e.order(first) {
		header := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: when}
		header.SetMode(0o644)
		entry, err := writer.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := entry.Write(e[name]); err != nil {
			return nil, err
		}
	}
	err := writer.Close()
	return data.Bytes(), err
}

// tarball makes a compressed tar file, its entries sorted.
func (e entries) tarball(when time.Time) ([]byte, error) {
	var data bytes.Buffer
	packed := gzip.NewWriter(&data)
	writer := tar.NewWriter(packed)
	for _, name := range e.order(nil) {
		header := &tar.Header{Name: name, Mode: 0o644, Size: int64(len(e[name])), ModTime: when, Format: tar.FormatPAX}
		if err := writer.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := writer.Write(e[name]); err != nil {
			return nil, err
		}
	}
	if err := writer.Close(); err != nil {
		return nil, err
	}
	err := packed.Close()
	return data.Bytes(), err
}

func (e entries) order(first []string) []string {
	rest := slices.DeleteFunc(slices.Sorted(maps.Keys(e)), func(name string) bool { return slices.Contains(first, name) })
	return append(slices.Clone(first), rest...)
}

// fill puts the version and other values into a text.
func fill(text string, pairs ...string) []byte {
	return []byte(strings.NewReplacer(pairs...).Replace(text))
}

// write puts a package into the folder of the release.
func (r release) write(name string, data []byte) error {
	return os.WriteFile(r.folder+"/"+name, data, 0o644)
}
