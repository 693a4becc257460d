package control

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// pieceBytes is how much of a batch is written at once: each piece has its time.
const pieceBytes = 256 << 10

// rowsPerSecond is how many rows of a snapshot are read in a second, about.
const rowsPerSecond = 100_000

// withData is the answer of a snapshot with the batches of its dataset as the
// last member. They are written one at a time, as they are read.
func (a *API) withData(r *httpd.Request, answer httpd.Response, data *dataset.Batches) httpd.Response {
	const begin, end = `,"data":[`, "]}\n"
	if data.Len() == 0 {
		return answer
	}
	head := answer.Body[:len(answer.Body)-len("}\n")]
	length := int64(len(head)+len(begin)+len(end)+data.Len()-1) + data.Bytes()
	answer.Body, answer.Headers = nil, map[string]string{"Content-Length": strconv.FormatInt(length, 10)}
	answer.Stream = func(w http.ResponseWriter) {
		err := writePieces(w, head, []byte(begin))
		if err == nil {
			err = data.Each(func(generation int64, batch []byte) error {
				if generation > 1 {
					if err := writePieces(w, []byte(",")); err != nil {
						return err
					}
				}
				return writePieces(w, batch)
			})
		}
		if err == nil {
			err = writePieces(w, []byte(end))
		}
		// The length that was promised tells a client that it has not all of it.
		if err = errors.Join(err, data.Clear()); err != nil && r.Connected().Err() == nil {
			a.Logger.Error("a snapshot was not written to its end", "error", err)
		}
	}
	if r.Method == http.MethodHead { // nobody writes it
		answer.Stream = func(http.ResponseWriter) {}
		if err := data.Clear(); err != nil {
			a.Logger.Error("a snapshot was not forgotten", "error", err)
		}
	}
	return answer
}

func writePieces(w http.ResponseWriter, texts ...[]byte) error {
	for _, text := range texts {
		for len(text) > 0 {
			piece := text[:min(len(text), pieceBytes)]
			text = text[len(piece):]
			httpd.ExtendDeadline(w)
			if _, err := w.Write(piece); err != nil {
				return err
			}
		}
	}
	return nil
}

// mostOfState is how many bytes a snapshot has beside its exports and its dataset: a hundred thousand limits, or scenarios.
const mostOfState = 8 << 20

// stateReader reads a snapshot: exports and batches of the dataset one at a time, as they come.
type stateReader struct {
	api       *API
	limited   context.Context
	data      *dataset.Batches
	records   []*exports.Record
	seen      map[string]bool
	furthest  int64 // batch that one of them shows
	shownByAt string
}

// read reads everything, and returns what is beside exports and data.
func (s *stateReader) read(body io.Reader) (value any, text []byte, err error) {
	value, text, err = schemas.DecodeStream(body, mostOfState, map[string]func([]byte) error{"data": s.addBatch, "exports": s.addExport})
	var wrong *schemas.SyntaxError
	var refused *exports.Refusal
	var failed *notKept
	var tooLarge *http.MaxBytesError
	var tooMuch *schemas.SizeError
	switch {
	case err == nil:
		return value, text, nil
	case s.limited.Err() != nil:
		return nil, nil, fmt.Errorf("reading a snapshot: %w", context.Cause(s.limited))
	case errors.As(err, &failed):
		return nil, nil, failed.error
	case errors.As(err, &wrong):
		return nil, nil, exports.Refuse(exports.MalformedJSONBody, "the body is not valid JSON: %v", wrong)
	case errors.As(err, &tooLarge):
		return nil, nil, exports.Refuse(exports.MalformedParameter,
			"the body is larger than %s (64 times --limit body), the most a snapshot may have", budget.FormatBytes(tooLarge.Limit))
	case errors.As(err, &tooMuch):
		return nil, nil, exports.RefuseMember("/"+httpd.EscapePointer(tooMuch.Member), "maxLength",
			"the snapshot has more than %s beside exports and data; send one that GET /_mock/state answered", budget.FormatBytes(mostOfState))
	case errors.As(err, &refused):
		return nil, nil, refused
	}
	return nil, nil, httpd.Unreadable(err)
}

func (s *stateReader) addBatch(batch []byte) error {
	if batch[0] != '{' {
		return exports.RefuseMember(fmt.Sprintf("/data/%d", s.data.Len()), "type",
			"data holds %s; every batch of the dataset is an object, as GET /_mock/state answered it", exports.Shorten(string(batch)))
	}
	if err := s.data.Add(batch); err != nil {
		return &notKept{err}
	}
	return nil
}

// addExport checks an export by itself. What it shows of the dataset is compared with that when all is read.
func (s *stateReader) addExport(item []byte) error {
	at := fmt.Sprintf("/exports/%d", len(s.records))
	value, err := httpd.Decode(item)
	if err != nil {
		return err
	}
	err = s.api.Library.Validate("mock/state.json", map[string]any{"version": json.Number("2"), "exports": []any{value}})
	if err != nil {
		return refuseAt(at, err)
	}
	record := new(exports.Record)
	if err := json.Unmarshal(item, record); err != nil {
		return exports.RefuseMember(at, "format", "the snapshot cannot be read at %s: %v; send one that GET /_mock/state answered", at, err)
	}
	if s.seen[record.ID] {
		return exports.RefuseMember(at+"/id", "uniqueItems", "the id %q is that of another export already; every export has one of its own",
			exports.Shorten(record.ID))
	}
	s.seen[record.ID] = true
	s.records = append(s.records, record)
	if shown := record.File.DataGeneration; shown > s.furthest {
		s.furthest, s.shownByAt = shown, at
	}
	return s.api.checkRecord(at, record)
}

// refuseAt refuses an export that was checked as the first one of a list.
func refuseAt(at string, err error) error {
	var invalid *schemas.InvalidError
	if errors.As(err, &invalid) {
		for i := range invalid.Problems {
			problem := &invalid.Problems[i]
			problem.Pointer = at + strings.TrimPrefix(problem.Pointer, "/exports/0")
			problem.Message = strings.ReplaceAll(problem.Message, "exports[0]", fmt.Sprintf("exports[%s]", strings.TrimPrefix(at, "/exports/")))
		}
	}
	return httpd.RefuseInvalid(err)
}

// notKept is why a batch could not be kept: no fault of the client.
type notKept struct{ error }

// readState reads a snapshot and checks everything that the server would trip over later. The batches of the dataset are put into data.
func (a *API) readState(r *http.Request, data *dataset.Batches) (*store.Snapshot, error) {
	if err := httpd.CheckMediaType(r.Header); err != nil {
		return nil, err
	}
	limited, cancel := a.Budgets.Deadline(r.Context())
	defer cancel()
	reader := &stateReader{api: a, limited: limited, data: data, seen: map[string]bool{}}
	body := httpd.ReadWithin(limited, http.MaxBytesReader(nil, r.Body, a.Budgets.Of(budget.Upload).Limit()))
	value, text, err := reader.read(body)
	if err != nil {
		return nil, err
	}
	if err := a.Library.Validate("mock/state.json", value); err != nil {
		return nil, httpd.RefuseInvalid(err)
	}
	var view stateView
	if err := json.Unmarshal(text, &view); err != nil {
		return nil, exports.Refuse(exports.MalformedParameter, "the snapshot cannot be read: %v; send one that GET /_mock/state answered", err)
	}
	snapshot := &store.Snapshot{Records: reader.records, Buckets: view.RateLimits, Settings: map[string][]byte{}, Data: data}
	if reader.furthest > int64(data.Len()) {
		return nil, exports.RefuseMember(reader.shownByAt+"/file/data_generation", "maximum",
			"data_generation is %d, and the snapshot has %d batches of the dataset; it must not be greater", reader.furthest, data.Len())
	}
	for key, bucket := range view.RateLimits {
		if err := checkInstant("/rate_limits/"+httpd.EscapePointer(key)+"/full_at", bucket.FullAt); err != nil {
			return nil, err
		}
		if bucket.TakenAt.IsZero() {
			continue // it need not be there
		}
		if err := checkInstant("/rate_limits/"+httpd.EscapePointer(key)+"/taken_at", bucket.TakenAt); err != nil {
			return nil, err
		}
	}
	for name, setting := range view.Settings {
		snapshot.Settings[name] = setting.Value
		if setting.Value == nil {
			if snapshot.Settings[name], err = base64.StdEncoding.DecodeString(setting.Base64); err != nil {
				return nil, exports.RefuseMember("/settings/"+httpd.EscapePointer(name)+"/base64", "contentEncoding", "base64 cannot be decoded: %v",
					err)
			}
		}
	}
	rows, read, err := data.Rows()
	if err == nil {
		err = a.Budgets.Of(budget.DataRows).Fits(rows)
	}
	if err != nil {
		return nil, err
	}
	work := a.Budgets.Work()
	if most := int64(work.Seconds() * rowsPerSecond); read > most {
		return nil, exports.RefuseMember("/data", "maximum",
			"the batches of the dataset make the server read %d rows, those that they repeat each time; at most %d can be read in %s, the most that the work of a request may take", read, most, work)
	}
	return snapshot, a.Live.Check(limited, snapshot)
}
