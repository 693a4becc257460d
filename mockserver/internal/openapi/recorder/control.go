package main

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/demo"
)

// control asks for everything under /_mock/ once, what only looks before what
// changes something, and last what empties something.
func (r *recorder) control() error {
	if _, err := r.send(request{operation: "clockSet", body: []byte(`{"freeze":true}`)}); err != nil {
		return err
	}
	waiting, err := r.create("progress=manual")
	if err != nil {
		return err
	}
	done, err := r.create("progress=now")
	if err != nil {
		return err
	}
	// A client that asks for what is not there: there is something to tell of it.
	if _, err := r.send(request{operation: "profilesDownload", query: url.Values{"id": {"file_unknown_1"}}}); err != nil {
		return err
	}
	ids := map[string]string{"exportsMove": waiting}
	queries := map[string]url.Values{
		"exportsList":   {"limit": {"2"}},
		"journalList":   {"limit": {"1"}},
		"journalEvents": {"limit": {"1"}},
		"clockReturn":   {"key": {demo.LiveKey}},
		"validate":      {"schema": {"userbase.request"}},
	}
	for _, method := range []string{"GET", "POST", "PUT", "DELETE"} {
		for _, operation := range r.operations {
			_, empty := operation.Responses["204"]
			if operation.method != method || empty || !strings.HasPrefix(operation.path, "/_mock/") || operation.OperationID == "metrics" {
				continue // no body, or one that tells of this process
			}
			q := request{operation: operation.OperationID, path: map[string]string{"id": done}, query: queries[operation.OperationID]}
			if id := ids[operation.OperationID]; id != "" {
				q.path["id"] = id
			}
			if q.body, q.media, err = body(operation); err != nil {
				return err
			}
			if _, err := r.keep(q, "answer", ""); err != nil {
				return err
			}
		}
	}
	return nil
}

// body is what an operation is sent: its example as JSON, as a form, or as the
// text that it is.
func body(operation *operation) (body []byte, media string, err error) {
	value, media := operation.body("example")
	switch media {
	case "multipart/form-data":
		return form(value)
	case "text/csv":
		var text string
		err := json.Unmarshal(value, &text)
		return []byte(text), media, err
	}
	return value, media, nil
}
