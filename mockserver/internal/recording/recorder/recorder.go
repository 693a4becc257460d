// Package recorder writes what passes a proxy into a recording.
// See docs/how-to/record-and-replay.md
package recorder

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pattern"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/recording"
)

// Recorder writes into a directory. It is not safe for concurrent use.
type Recorder struct {
	directory string
	change    Change
	recorded  int
	left      map[string]int // exchanges that are not in the recording, by the reason
	failed    error
}

// Change copies a file of a kind of export, changed in whatever way; a file that it cannot read is not recorded.
type Change func(kind string, from io.Reader, into io.Writer) error

// New begins a recording in a directory, which must be empty or absent. Files are changed by a function, or kept as they
// are if it is nil.
func New(directory string, began time.Time, change Change) (*Recorder, error) {
	if there, err := os.ReadDir(directory); err == nil && len(there) > 0 {
		return nil, fmt.Errorf("%s is not empty: a recording is never written over other files; name another directory", directory)
	}
	if err := os.MkdirAll(filepath.Join(directory, "files"), 0o700); err != nil {
		return nil, err
	}
	r := &Recorder{directory: directory, change: change, left: map[string]int{}}
	return r, r.writeJSON(recording.HeadFile, recording.Head{Version: recording.Version, Began: began.UTC()})
}

// Add writes an exchange. A fault is kept for Close: the exchange itself has passed.
func (r *Recorder) Add(x *drift.Observed) {
	if r.failed != nil {
		return
	}
	if reason := leftOut(x); reason != "" {
		r.left[reason]++
		return
	}
	if r.failed = r.add(x); !errors.Is(r.failed, errUnreadable) {
		r.recorded++
		return
	}
	r.left["whose body is not what its head says, so that nothing in it can be replaced"]++
	begun, err := filepath.Glob(filepath.Join(r.directory, fmt.Sprintf("%06d.*", x.Exchange.Number)))
	for _, each := range begun {
		err = errors.Join(err, os.Remove(each))
	}
	r.failed = err
}

// leftOut is why an exchange cannot be recorded; empty for one that can.
func leftOut(x *drift.Observed) string {
	switch {
	case x.Exchange.Status == 0 || x.Exchange.Fault != "" || x.Exchange.Broken:
		return "broken off"
	case x.Entry.Stage == "":
		return "for paths that the schema files do not list (see --schemas)"
	case x.Exchange.To.Method == http.MethodHead || x.Exchange.Status == http.StatusPartialContent ||
		x.Exchange.Status == http.StatusNotModified || x.Exchange.Status == http.StatusRequestedRangeNotSatisfiable:
		return "for a part of a file, which a replay cuts out of the whole"
	case x.Entry.Stage != "file" && !slices.Contains([]string{"", "identity", "gzip"},
		http.Header(x.Exchange.Received.Header).Get("Content-Encoding")):
		return "in an encoding other than gzip"
	case x.Entry.Stage != "file" && (tooLong(x.Exchange.Received.Body) || tooLong(x.Exchange.Sent.Body)):
		return "with more than 64 MB that are no file"
	case x.Exchange.Received.Body != nil && !x.Exchange.Received.Body.Whole(), x.Exchange.Sent.Body != nil && !x.Exchange.Sent.Body.Whole():
		return "too large"
	}
	return ""
}

// mostText is how long a body may be that is no file: it is read at once.
const mostText = 64 << 20

func tooLong(body drift.Body) bool { return body != nil && body.Size() > mostText }

func (r *Recorder) add(x *drift.Observed) (err error) {
	entry := x.Entry
	var redacted journal.Entry
	redacted.SetTarget(x.Exchange.To.Path, x.Exchange.To.Query, x.Redactor) // credentials that were sent to a wrong place
	made := recording.Exchange{
		Number: x.Exchange.Number, Time: x.Exchange.Began.UTC(), Method: x.Exchange.To.Method, Query: r.text(x, redacted.Query),
		Credentials: entry.Credentials, Status: x.Exchange.Status,
		Path: r.text(x, strings.Replace(redacted.Path, "/"+x.Key+"/", "/"+recording.Key+"/", 1)), Headers: r.headers(x),
		Facts: recording.Facts{
			Stage: entry.Stage, Kind: entry.Kind, Export: entry.Export, ExportStatus: entry.ExportStatus, Parts: entry.Parts, Listed: entry.Listed,
			Part:       entry.Part,
			RetryAfter: entry.RetryAfter, Error: entry.Error,
		},
	}
	if took := x.Exchange.Answered.Sub(x.Exchange.Began); !x.Exchange.Answered.IsZero() && took > 0 {
		made.Took = took.Round(time.Microsecond).Seconds()
	}
	isFile := entry.Stage == "file"
	if isFile {
		made.Path, made.Query = filePath(entry.Export, entry.Part), ""
	}
	name := fmt.Sprintf("%06d", x.Exchange.Number)
	if body := x.Exchange.Sent.Body; body != nil && body.Size() > 0 {
		made.Request = &recording.Body{File: name + ".request" + ending(x.Exchange.Sent.Header)}
		if err := r.copyText(x, body, made.Request.File); err != nil {
			return err
		}
	}
	if body := x.Exchange.Received.Body; body != nil && body.Size() > 0 {
		if isFile && x.Exchange.Status == http.StatusOK {
			suffix := ending(x.Exchange.Received.Header)
			if r.change != nil {
				suffix = strings.TrimSuffix(suffix, ".gz")
				maps.DeleteFunc(made.Headers, func(name, _ string) bool { // the others may be about other bytes
					return name != "Content-Type" && name != "Content-Disposition"
				})
			}
			made.Answer, err = r.copyFile(entry.Kind, body, suffix)
		} else {
			made.Answer = &recording.Body{File: name + ".answer" + strings.TrimSuffix(ending(x.Exchange.Received.Header), ".gz")}
			err = r.copyText(x, body, made.Answer.File)
			delete(made.Headers, "Content-Encoding")
		}
		if err != nil {
			return err
		}
	}
	return r.writeJSON(name+".json", made)
}

func filePath(export string, part int) string {
	return recording.FilePath + fmt.Sprintf("%s/%d", url.PathEscape(export), part)
}

func (r *Recorder) headers(x *drift.Observed) map[string]string {
	headers := map[string]string{}
	for name, values := range x.Exchange.Received.Header {
		if text := strings.Join(values, ", "); recording.Keeps(name, text) {
			headers[name] = r.text(x, text)
		}
	}
	if location := headers["Location"]; location != "" {
		headers["Location"] = link(x, location)
	}
	return headers
}

// text is a text without credentials and without the key.
func (r *Recorder) text(x *drift.Observed, text string) string {
	text = x.Redactor.Text(text)
	const shortest = 6 // a shorter one would be found everywhere
	if len(x.Key) >= shortest {
		text = strings.ReplaceAll(text, x.Key, recording.Key)
	}
	return text
}

// link is where a link leads in a recording. One that nobody knows loses its query, which may be a credential.
func link(x *drift.Observed, address string) string {
	to, err := url.Parse(address)
	if err != nil || to.Host == "" || to.Scheme != "http" && to.Scheme != "https" {
		return address
	}
	switch export, part, known := x.Leads(to); {
	case known && export != "":
		return recording.Origin + filePath(export, part)
	case known:
		to.User = nil
		return recording.Origin + strings.Replace(to.RequestURI(), "/"+x.Key+"/", "/"+recording.Key+"/", 1)
	}
	to.RawQuery, to.User = "", nil
	return to.String()
}

var linkText = pattern.Of(`"https?:(?:\\?/){2}(?:[^"\\]|\\.)*"`)

// copyText writes a body that is no file.
func (r *Recorder) copyText(x *drift.Observed, body drift.Body, name string) error {
	from, err := body.Open()
	if err != nil {
		return err
	}
	defer from.Close()
	var plain io.Reader = from
	if body == x.Exchange.Received.Body && http.Header(x.Exchange.Received.Header).Get("Content-Encoding") == "gzip" {
		if plain, err = gzip.NewReader(from); err != nil {
			return fmt.Errorf("%w: %w", errUnreadable, err)
		}
	}
	text, err := io.ReadAll(io.LimitReader(plain, mostText))
	if err != nil {
		return fmt.Errorf("%w: %w", errUnreadable, err)
	}
	text = linkText().ReplaceAllFunc([]byte(r.text(x, string(text))), func(quoted []byte) []byte {
		var address string
		if json.Unmarshal(quoted, &address) != nil {
			return quoted
		}
		if led := link(x, address); led != address {
			return append(append([]byte{'"'}, led...), '"')
		}
		return quoted
	})
	return r.write(name, text)
}

// errUnreadable is that a file cannot be changed.
var errUnreadable = errors.New("it cannot be read")

// copyFile writes a downloaded file, once however often it came.
func (r *Recorder) copyFile(kind string, body drift.Body, ending string) (*recording.Body, error) {
	from, err := body.Open()
	if err != nil {
		return nil, err
	}
	defer from.Close()
	into, err := os.CreateTemp(filepath.Join(r.directory, "files"), ".file-")
	if err != nil {
		return nil, err
	}
	digest := sha256.New()
	if both := io.MultiWriter(into, digest); r.change == nil {
		_, err = io.Copy(both, from)
	} else if err = r.change(kind, from, both); err != nil {
		err = fmt.Errorf("%w: %w", errUnreadable, err)
	}
	if err = errors.Join(err, into.Close()); err != nil {
		return nil, errors.Join(err, os.Remove(into.Name()))
	}
	sum := hex.EncodeToString(digest.Sum(nil))
	name := "files/" + sum[:16] + ending
	return &recording.Body{File: name, Digest: sum}, os.Rename(into.Name(), filepath.Join(r.directory, filepath.FromSlash(name)))
}

// ending is that of a file with a body of some media type.
func ending(header http.Header) string {
	ending := ".txt"
	for media, its := range map[string]string{"json": ".json", "csv": ".csv", "ndjson": ".ndjson", "octet-stream": ".bin"} {
		if strings.Contains(header.Get("Content-Type"), "/"+media) || strings.Contains(header.Get("Content-Type"), "+"+media) ||
			strings.Contains(header.Get("Content-Type"), "x-"+media) {
			ending = its
		}
	}
	if header.Get("Content-Encoding") == "gzip" {
		ending += ".gz"
	}
	return ending
}

func (r *Recorder) writeJSON(name string, value any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return err
	}
	return r.write(name, text.Bytes())
}

func (r *Recorder) write(name string, text []byte) error {
	return os.WriteFile(filepath.Join(r.directory, name), text, 0o600)
}

// Close tells what was recorded, and what was not.
func (r *Recorder) Close() (summary string, err error) {
	var told strings.Builder
	fmt.Fprintf(&told, "%s: %d exchanges", r.directory, r.recorded)
	for _, reason := range slices.Sorted(maps.Keys(r.left)) {
		fmt.Fprintf(&told, "\n  not in it: %d %s", r.left[reason], reason)
	}
	return told.String(), r.failed
}
