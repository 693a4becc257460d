package mocktest

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"net/http"
)

// Download is the file of the export, which is finished first if need be: one
// text for a legacy export, one for each part of a profile export. The test
// ends when there is no file.
func (e *Export) Download() [][]byte {
	e.mock.t.Helper()
	if status := e.Status(); status == "CREATED" || status == "PENDING" {
		e.Finish()
	}
	if !e.iface.Parts {
		var record struct {
			Status  string
			FileURL string `json:"file_url"`
			Error   string `json:"error_msg"`
		}
		e.ask(http.MethodGet, "/1.0/"+e.key+"/export/request/"+e.ID, e.header, nil, &record)
		if record.FileURL == "" {
			e.mock.t.Fatalf("mocktest: the export is %s and has no file: %s", record.Status, record.Error)
		}
		return [][]byte{e.fetch(record.FileURL)}
	}
	var record struct {
		Status string
		Error  string `json:"error_message"`
		Files  []struct{ URL string }
	}
	e.ask(http.MethodGet, "/2.7/exports/view?id="+e.ID, e.header, nil, &record)
	if len(record.Files) == 0 {
		e.mock.t.Fatalf("mocktest: the export is %s and has no file: %s", record.Status, record.Error)
	}
	var parts [][]byte
	for _, file := range record.Files {
		parts = append(parts, e.fetch(e.linkOf(file.URL)))
	}
	return parts
}

// linkOf asks where a part of a profile export lies. Its link takes no
// credentials, so the redirect is not followed with them.
func (e *Export) linkOf(address string) string {
	e.mock.t.Helper()
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

// Rows are the rows of a CSV file by the names of their columns. The kind must
// be a legacy one.
func (e *Export) Rows() []map[string]string {
	e.mock.t.Helper()
	reader := csv.NewReader(bytes.NewReader(e.Download()[0]))
	reader.Comma = ';'
	records, err := reader.ReadAll()
	if err != nil || len(records) == 0 {
		e.mock.t.Fatalf("mocktest: the file of %s is no CSV: %v", e.Kind, err)
	}
	rows := []map[string]string{}
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, name := range records[0] {
			row[name] = record[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// Decode decodes the rows of all parts of a profile export into a slice, as
// [json.Unmarshal] does.
func (e *Export) Decode(into any) {
	e.mock.t.Helper()
	all := []json.RawMessage{}
	for _, part := range e.Download() {
		var rows []json.RawMessage
		if err := json.Unmarshal(part, &rows); err != nil {
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
