package control

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/arrival"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
)

// fileArrivals is mock/file.arrivals.json.
type fileArrivals struct {
	Arrival  string       `json:"arrival"`
	Rows     int64        `json:"rows"`
	Missing  arrivingRows `json:"missing"`
	Twice    arrivingRows `json:"twice"`
	Skewed   arrivingRows `json:"skewed"`
	Complete string       `json:"complete_at,omitempty"`
	Next     string       `json:"next_from,omitempty"`
}

type arrivingRows struct {
	Rows     int64         `json:"rows"`
	Examples []arrivingRow `json:"examples"`
}

type arrivingRow struct {
	Happened string `json:"happened_at"`
	Arrives  string `json:"arrives_at"`
	Row      string `json:"row"`
}

// add counts a row, and shows it when it is on the page: so many rows after so many others.
func (s *arrivingRows) add(from int64, limit int, fate arrival.Fate, happened int64, text string) {
	if s.Rows++; s.Rows > from && len(s.Examples) < limit {
		s.Examples = append(s.Examples, arrivingRow{instantOf(happened), instantOf(fate.Arrives),
			strings.TrimRight(strings.TrimLeft(text, "\n"), "\r\n")})
	}
}

func instantOf(second int64) string { return time.Unix(second, 0).UTC().Format(time.RFC3339) }

// exportsArrivals tells which rows of the file of an export are late, come twice
// or have a wrong date, so that a test knows what its client should have met.
func (a *API) exportsArrivals(r *httpd.Request) (httpd.Response, error) {
	limit, err := httpd.Number(r.Query, "limit")
	if err != nil {
		return httpd.Response{}, err
	}
	from := int64(0)
	if cursor, given := r.Query["from"]; given {
		if from, err = strconv.ParseInt(cursor, 10, 64); err != nil || from < 0 {
			return httpd.Response{}, httpd.RefuseCursor("from", cursor, "next_from")
		}
	}
	record, err := a.Store.Get(r.Context(), r.Variables["id"])
	if err != nil {
		return httpd.Response{}, notThere(err, r.Variables["id"])
	}
	if err := a.hasFile(record); err != nil {
		return httpd.Response{}, err
	}
	file, err := a.Files.Rows(record)
	if err != nil {
		return httpd.Response{}, fmt.Errorf("opening the file of export %s: %w", record.ID, err)
	}
	made := fileArrivals{Arrival: record.File.Arrival.String(), Missing: arrivingRows{Examples: []arrivingRow{}},
		Twice: arrivingRows{Examples: []arrivingRow{}}, Skewed: arrivingRows{Examples: []arrivingRow{}}}
	last := int64(0)
	arrives, err := file.Arrivals(r.Connected(), func(fate arrival.Fate, happened int64, text string) {
		made.Rows += int64(fate.Copies)
		if fate.Missing {
			made.Missing.add(from, limit, fate, happened, text)
			last = max(last, fate.Arrives)
		}
		if fate.Copies > 1 || fate.Outside {
			made.Twice.add(from, limit, fate, happened, text)
		}
		if fate.Skew != 0 && fate.Copies > 0 {
			made.Skewed.add(from, limit, fate, happened, text)
		}
	})
	if err != nil {
		return httpd.Response{}, fmt.Errorf("reading the file of export %s: %w", record.ID, err)
	}
	if end := from + int64(limit); max(made.Missing.Rows, made.Twice.Rows, made.Skewed.Rows) > end {
		made.Next = strconv.FormatInt(end, 10)
	}
	if made.Missing.Rows > 0 {
		made.Complete = instantOf(last)
	}
	if !arrives {
		parts, err := a.Files.Parts(r.Connected(), record)
		if err != nil {
			return httpd.Response{}, fmt.Errorf("writing the file of export %s: %w", record.ID, err)
		}
		for _, part := range parts {
			made.Rows += part.Rows
		}
	}
	return httpd.OK(made), nil
}
