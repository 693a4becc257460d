package listen

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

// ReadyFile tells a program that started this one where the server is. Its content is described by schemas/mock/ready.json. See
// docs/decisions/server.md#what-is-in-a-ready-file-and-why-json
type ReadyFile struct {
	path    string // empty: none is asked for
	written []byte
}

// Ready is the content of a ready file.
type Ready struct {
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

// OpenReadyFile removes what an earlier server left behind: its readers would take it for that of this one.
func OpenReadyFile(path string) (*ReadyFile, error) {
	if path == "" {
		return &ReadyFile{}, nil
	}
	if there, err := os.Stat(path); err == nil && !there.Mode().IsRegular() { // /dev/null, when a script runs as root
		return nil, fmt.Errorf("--ready-file: %s is there and not a file, and would be removed; choose another path", path)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("--ready-file: %w", err)
	}
	return &ReadyFile{path: path}, nil
}

// Write makes the file appear, complete and for nobody else to read.
func (r *ReadyFile) Write(endpoint *Endpoint, publicURL, token, version string) error {
	if r.path == "" {
		return nil
	}
	content := Ready{
		URL: endpoint.Base("127.0.0.1"), PublicURL: strings.TrimSuffix(publicURL, "/"), ControlURL: endpoint.Base("127.0.0.1") + "/_mock/",
		ControlToken: token, Process: os.Getpid(), Version: version,
	}
	if endpoint.socket != "" {
		path, err := filepath.Abs(endpoint.socket)
		if err != nil {
			return fmt.Errorf("--ready-file: %w", err)
		}
		content.Socket = path
	}
	if endpoint.certificate != nil {
		content.Certificate, content.Fingerprint = endpoint.certificate.trusted, endpoint.certificate.fingerprint
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

// Remove takes the file away, unless another server has put its own there.
func (r *ReadyFile) Remove(logger *slog.Logger) {
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
