package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/openapi"
)

// How much of a file is shown: enough to see its shape.
const (
	shownRows  = 3
	shownItems = 2
	shownBytes = 120
)

// exports makes one export of every kind, looks it up in all its states and
// gets its file.
func (r *recorder) exports() error {
	for _, operation := range r.operations {
		for _, export := range operation.Exports {
			if err := r.export(operation, export.Kind); err != nil {
				return fmt.Errorf("%s: %w", export.Kind, err)
			}
		}
	}
	_, err := r.keep(request{operation: "profilesList", query: url.Values{"limit": {"2"}}}, "page", "")
	return err
}

func (r *recorder) export(operation *operation, kind string) error {
	q := request{operation: operation.OperationID}
	q.body, _ = operation.body(openapi.ExampleName(kind))
	if _, err := r.keep(q, "created", ""); err != nil {
		return err
	}
	for _, state := range []struct{ name, summary, scenario string }{
		{"success", "It is finished.", "progress=now"},
		{"created", "It has not begun.", "progress=manual"},
		{"error", "It failed.", "outcome=error"},
	} {
		created, err := r.send(q.with("X-Mock-Scenario", state.scenario))
		if err != nil {
			return err
		}
		record, err := r.keep(lookup(created), state.name, state.summary)
		if err != nil {
			return err
		}
		if state.name == "success" {
			if err := r.file(record, kind); err != nil {
				return err
			}
		}
	}
	return nil
}

// lookup is the request that looks up an export that was just created.
func lookup(created *httptest.ResponseRecorder) request {
	if id := member(created, "requestId"); id != "" {
		return request{operation: "legacyStatus", path: map[string]string{"request_id": id}}
	}
	return request{operation: "profilesView", query: url.Values{"id": {member(created, "id")}}}
}

// link is where the file of a finished export is, or its first part.
func (r *recorder) link(record *httptest.ResponseRecorder) (string, error) {
	if link := member(record, "file_url"); link != "" {
		return link, nil
	}
	var profile struct{ Files []struct{ ID string } }
	if err := json.Unmarshal(record.Body.Bytes(), &profile); err != nil || len(profile.Files) == 0 {
		return "", fmt.Errorf("no file in %s", record.Body)
	}
	answer, err := r.keep(request{operation: "profilesDownload", query: url.Values{"id": {profile.Files[0].ID}}}, "part", "")
	if err != nil {
		return "", err
	}
	return answer.Header().Get("Location"), nil
}

// file keeps the beginning of a file.
func (r *recorder) file(record *httptest.ResponseRecorder, kind string) error {
	link, err := r.link(record)
	if err != nil {
		return err
	}
	whole, err := r.send(request{link: link})
	if err != nil || whole.Code != http.StatusOK {
		return fmt.Errorf("the file was answered with %d (%w)", whole.Code, err)
	}
	r.add("fileDownload", whole, openapi.ExampleName(kind), "The beginning of a file of "+kind+".", beginning(whole.Body.Bytes()))
	piece, err := r.send(request{link: link}.with("Range", "bytes=0-"+strconv.Itoa(shownBytes-1)))
	if err == nil && piece.Code == http.StatusPartialContent {
		r.add("fileDownload", piece, "range", "The first bytes.", piece.Body.Bytes())
	}
	return err
}

// beginning is the first items of a JSON array, or the header and the first
// rows of CSV.
func beginning(file []byte) []byte {
	var items []json.RawMessage
	if json.Unmarshal(file, &items) == nil {
		shown, _ := json.Marshal(items[:min(len(items), shownItems)]) // of what was just read
		return shown
	}
	lines := bytes.SplitAfter(file, []byte("\n"))
	return slices.Concat(lines[:min(len(lines), shownRows+1)]...)
}
