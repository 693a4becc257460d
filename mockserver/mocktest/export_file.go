package mocktest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/schemas/filetype"
)

// Download is the file of the export, which is finished first if need be: one text for a legacy export, one for each part of a profile
// export. The test ends when there is no file.
func (e *Export) Download() [][]byte {
	e.mock.t.Helper()
	if slices.Contains(e.iface.States.Underway(), e.Status()) {
		e.Finish()
	}
	if e.iface.KeyVariable != "" {
		var record struct {
			Status  string
			FileURL string `json:"file_url"`
			Error   string `json:"error_msg"`
		}
		e.ask(http.MethodGet, e.lookup("legacy.status"), e.header, nil, &record)
		if record.FileURL == "" {
			e.mock.t.Fatalf("mocktest: the export is %s and has no file: %s", record.Status, record.Error)
		}
		return [][]byte{e.fetch(e.linkOf(record.FileURL))}
	}
	var record struct {
		Status string
		Error  string `json:"error_message"`
		Files  []struct{ URL string }
	}
	e.ask(http.MethodGet, e.lookup("profiles.view")+"?id="+e.ID, e.header, nil, &record)
	if len(record.Files) == 0 {
		e.mock.t.Fatalf("mocktest: the export is %s and has no file: %s", record.Status, record.Error)
	}
	var parts [][]byte
	for _, file := range record.Files {
		parts = append(parts, e.fetch(e.linkOf(file.URL)))
	}
	return parts
}

// lookup is the path that looks the export up.
func (e *Export) lookup(name string) string {
	for _, endpoint := range e.mock.library.Endpoints() {
		if endpoint.Name == name {
			return strings.NewReplacer("{"+e.iface.KeyVariable+"}", e.key, "{request_id}", e.ID).Replace(endpoint.Path)
		}
	}
	return ""
}

// linkOf asks where a file lies whose address redirects to it. Its link takes no credentials, so the redirect is not followed with them.
func (e *Export) linkOf(address string) string {
	e.mock.t.Helper()
	if !e.iface.Files.Redirects() {
		return address
	}
	r, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		e.mock.t.Fatalf("mocktest: %v", err)
	}
	r.Header = e.header
	response, err := e.mock.client.Transport.RoundTrip(r)
	if err != nil {
		e.mock.t.Fatalf("mocktest: %v", err)
	}
	defer response.Body.Close()
	return response.Header.Get("Location")
}

func (e *Export) fetch(link string) []byte {
	e.mock.t.Helper()
	response, err := e.mock.client.Get(link)
	if err != nil {
		e.mock.t.Fatalf("mocktest: downloading: %v", err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		e.mock.t.Fatalf("mocktest: downloading: %s, %v: %.200s", response.Status, err, text)
	}
	return text
}

// Rows are the rows of a CSV file by the names of their columns. The kind must be a legacy one.
func (e *Export) Rows() []map[string]string {
	e.mock.t.Helper()
	reader := filetype.NewCSV(bytes.NewReader(e.Download()[0]), ';')
	reader.FieldsPerRecord, reader.ReuseRecord = 0, false
	rows := []map[string]string{}
	header, err := reader.Read()
	for err == nil {
		var record []string
		if record, err = reader.Read(); err != nil {
			break
		}
		row := map[string]string{}
		for i, name := range header {
			row[name] = record[i]
		}
		rows = append(rows, row)
	}
	if err != io.EOF || header == nil {
		e.mock.t.Fatalf("mocktest: the file of %s is no CSV: %v", e.Kind, err)
	}
	return rows
}

// items are the rows of a part: of an array, or one a line.
func (e *Export) items(part []byte) (rows []json.RawMessage, err error) {
	if !e.export.Lines() {
		err = json.Unmarshal(part, &rows)
		return rows, err
	}
	for line := range bytes.Lines(part) {
		if !json.Valid(line) {
			return nil, fmt.Errorf("%.200q is no line of JSON", line)
		}
		rows = append(rows, json.RawMessage(line))
	}
	return rows, nil
}

// Decode decodes the rows of all parts of a profile export into a slice, as [json.Unmarshal] does.
func (e *Export) Decode(into any) {
	e.mock.t.Helper()
	all := []json.RawMessage{}
	for _, part := range e.Download() {
		rows, err := e.items(part)
		if err != nil {
			e.mock.t.Fatalf("mocktest: the file of %s is no JSON list: %v", e.Kind, err)
		}
		all = append(all, rows...)
	}
	text, err := json.Marshal(all)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		e.mock.t.Fatalf("mocktest: decoding the rows of %s: %v", e.Kind, err)
	}
}
