package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// file is a file of a package, a folder when its name ends with a slash, or a link.
type file struct {
	name string
	data []byte
	mode fs.FileMode // 0644 unless it is given
	link string
	user int
}

// files are the files of a package.
type files []file

func (f file) permissions() fs.FileMode {
	switch {
	case f.mode != 0:
		return f.mode
	case f.link != "":
		return 0o777
	case strings.HasSuffix(f.name, "/"):
		return 0o755
	}
	return 0o644
}

// sorted are the files by their names.
func (f files) sorted() files {
	return slices.SortedFunc(slices.Values(f), func(a, b file) int { return strings.Compare(a.name, b.name) })
}

// licences are what goes with every copy of the program.
func (r release) licences(prefix string) (files, error) {
	var found files
	for _, name := range []string{"LICENSE", "THIRD_PARTY_NOTICES", "sbom.cdx.json"} {
		data, err := os.ReadFile(filepath.Join(r.root, name))
		if err != nil {
			return nil, err
		}
		found = append(found, file{name: prefix + name, data: data})
	}
	return found, nil
}

// write puts a package into the folder of the release.
func (r release) write(name string, data []byte) error {
	path := filepath.Join(r.folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// tape is a tar file, its entries in their order.
func (f files) tape(when time.Time) ([]byte, error) {
	var data bytes.Buffer
	writer := tar.NewWriter(&data)
	for _, each := range f {
		header := &tar.Header{
			Name: each.name, Mode: int64(each.permissions().Perm()), Size: int64(len(each.data)), ModTime: when, Format: tar.FormatUSTAR,
			Uid: each.user, Gid: each.user, Typeflag: tar.TypeReg,
		}
		if each.mode&fs.ModeSticky != 0 {
			header.Mode |= 0o1000
		}
		switch {
		case each.link != "":
			header.Typeflag, header.Linkname = tar.TypeSymlink, each.link
		case strings.HasSuffix(each.name, "/"):
			header.Typeflag = tar.TypeDir
		}
		if err := writer.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := writer.Write(each.data); err != nil {
			return nil, err
		}
	}
	err := writer.Close()
	return data.Bytes(), err
}

// tarball is a tar file, compressed.
func (f files) tarball(when time.Time) ([]byte, error) {
	tape, err := f.tape(when)
	if err != nil {
		return nil, err
	}
	return squeeze(tape)
}

// squeeze compresses with gzip, without a name and a time.
func squeeze(data []byte) ([]byte, error) {
	var packed bytes.Buffer
	writer, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := writer.Write(data); err != nil {
		return nil, err
	}
	err = writer.Close()
	return packed.Bytes(), err
}

// zipped is a zip file, its entries in their order.
func (f files) zipped(when time.Time) ([]byte, error) {
	var data bytes.Buffer
	writer := zip.NewWriter(&data)
	for _, each := range f {
		header := &zip.FileHeader{Name: each.name, Method: zip.Deflate, Modified: when}
		header.SetMode(each.permissions())
		entry, err := writer.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := entry.Write(each.data); err != nil {
			return nil, err
		}
	}
	err := writer.Close()
	return data.Bytes(), err
}

// sum writes the checksums of everything in the folder, as sha256sum reads them.
func sum(r release) error {
	var lines bytes.Buffer
	err := fs.WalkDir(os.DirFS(r.folder), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || name == "SHA256SUMS" {
			return err
		}
		data, err := os.ReadFile(filepath.Join(r.folder, name))
		fmt.Fprintf(&lines, "%x  %s\n", sha256.Sum256(data), name)
		return err
	})
	if err != nil {
		return err
	}
	return r.write("SHA256SUMS", lines.Bytes())
}
