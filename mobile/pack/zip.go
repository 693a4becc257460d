package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// zipEntry is a file in an archive.
type zipEntry struct {
	name string
	data []byte
}

func readZip(name string) ([]zipEntry, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return readZipBytes(data)
}

func readZipBytes(data []byte) ([]zipEntry, error) {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	var entries []zipEntry
	for _, file := range archive.File {
		reader, err := file.Open()
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(reader)
		if err != nil {
			return nil, err
		}
		entries = append(entries, zipEntry{file.Name, text})
	}
	return entries, nil
}

// writeZip writes an archive that is the same whenever it is written.
func writeZip(entries []zipEntry) ([]byte, error) {
	slices.SortStableFunc(entries, func(a, b zipEntry) int { return strings.Compare(a.name, b.name) })
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, entry := range entries {
		header := &zip.FileHeader{Name: entry.name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}
		if strings.HasSuffix(entry.name, "/") {
			header.Method = zip.Store
		}
		writer, err := archive.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := writer.Write(entry.data); err != nil {
			return nil, err
		}
	}
	if err := archive.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// extract writes one file of an archive.
func extract(archive, name, to string) error {
	entries, err := readZip(archive)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if entry.name == name {
			return os.WriteFile(to, entry.data, 0o644)
		}
	}
	return fmt.Errorf("%s has no %s", archive, name)
}
