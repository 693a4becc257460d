package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
)

// readyFile tells a program that started this one where the server is. Its
// content is described by schemas/mock/ready.json.
// See docs/decisions/server.md#what-is-in-a-ready-file-and-why-json
type readyFile struct {
	path    string // empty: none is asked for
	written []byte
}

// readiness is the content of a ready file.
type readiness struct {
	URL          string `json:"url"`
	PublicURL    string `json:"public_url,omitempty"`
	Socket       string `json:"socket,omitempty"`
	ControlURL   string `json:"control_url"`
	ControlToken string `json:"control_token,omitempty"`
	Certificate  string `json:"certificate,omitempty"`
	Fingerprint  string `json:"certificate_sha256,omitempty"`
	Process      int    `json:"process"`
	Version      string `json:"version"`
}

// openReadyFile removes what an earlier server left behind: its readers would
// take it for that of this one.
func openReadyFile(path string) (*readyFile, error) {
	if path == "" {
		return &readyFile{}, nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("--ready-file: %w", err)
	}
	return &readyFile{path: path}, nil
}

// write makes the file appear, complete and for nobody else to read.
func (r *readyFile) write(place *place, publicURL, token string) error {
	if r.path == "" {
		return nil
	}
	content := readiness{
		URL: place.base("127.0.0.1"), PublicURL: strings.TrimSuffix(publicURL, "/"), ControlURL: place.base("127.0.0.1") + "/_mock/",
		ControlToken: token, Process: os.Getpid(), Version: versionNow().version,
	}
	if place.socket != "" {
		path, err := filepath.Abs(place.socket)
		if err != nil {
			return fmt.Errorf("--ready-file: %w", err)
		}
		content.Socket = path
	}
	if place.certificate != nil {
		content.Certificate, content.Fingerprint = place.certificate.trusted, place.certificate.fingerprint
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ") // a member on a line, for readers that know no JSON
	if err := encoder.Encode(content); err != nil {
		return fmt.Errorf("--ready-file: %w", err)
	}
	temporary, err := os.CreateTemp(filepath.Dir(r.path), ".ready-*") // its mode is 0600: there may be a token in it
	if err != nil {
		return fmt.Errorf("--ready-file: %w", err)
	}
	_, err = temporary.Write(text.Bytes())
	if err = errors.Join(err, temporary.Close()); err == nil {
		err = os.Rename(temporary.Name(), r.path)
	}
	if err != nil {
		os.Remove(temporary.Name())
		return fmt.Errorf("--ready-file: %w", err)
	}
	r.written = text.Bytes()
	return nil
}

// remove takes the file away, unless another server has put its own there.
func (r *readyFile) remove(logger *slog.Logger) {
	if r.path == "" {
		return
	}
	there, err := os.ReadFile(r.path)
	if err == nil && bytes.Equal(there, r.written) {
		err = os.Remove(r.path)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		logger.Warn("the ready file stays behind", "error", err)
	}
}
