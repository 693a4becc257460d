// Package recorder writes what passes a proxy into a recording. See docs/how-to/record-and-replay.md
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
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pattern"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/recording"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/recording/audit"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Recorder writes into a directory. It is not safe for concurrent use.
type Recorder struct {
	directory string
	service   string         // its host
	origins   *regexp.Regexp // the service in links
	hosts     *regexp.Regexp
	began     time.Time
	change    Change
	words     map[string]bool // that schema files say: nobody's name
	keys      map[string]bool // of clients
	recorded  int
	left      map[string]int // exchanges that are not in the recording, by the reason
	failed    error
}

// Change copies a file of a kind of export, changed in whatever way; a file that it cannot read is not recorded. It may open
// the file several times.
type Change func(kind string, open func() (io.ReadCloser, error), into io.Writer) error

// New begins a recording of a service, by its host, in a directory, which must be empty or absent. Files are changed by a
// function, or kept as they are if it is nil.
func New(directory, service string, began time.Time, change Change) (*Recorder, error) {
	if there, err := os.ReadDir(directory); err == nil && len(there) > 0 {
		return nil, fmt.Errorf("%s is not empty: a recording is never written over other files; name another directory", directory)
	}
	if err := os.MkdirAll(filepath.Join(directory, "files"), 0o700); err != nil {
		return nil, err
	}
	host := "(?i)" + regexp.QuoteMeta(service)
	r := &Recorder{
		directory: directory, service: service, began: began.UTC(), change: change, keys: map[string]bool{}, left: map[string]int{},
		origins: regexp.MustCompile(`(?i)https?(?::|%3A)(?:/|\\/|%2F){2}` + host), hosts: regexp.MustCompile(host),
	}
	return r, r.head("")
}

// Know sets the schema files whose words stay in bodies where files are changed. It is for the time before the first exchange.
func (r *Recorder) Know(library *schemas.Library) {
	r.words = map[string]bool{}
	for _, name := range library.Names() {
		for _, literal := range literals().FindAllSubmatch(library.Source(name), -1) {
			r.words[string(literal[1])] = true
		}
	}
}

func (r *Recorder) head(unfinished string) error {
	return r.writeJSON(recording.HeadFile, recording.Head{Version: recording.Version, Began: r.began, Unfinished: unfinished})
}

// Add writes an exchange. A fault is kept for Close: the exchange itself has passed.
func (r *Recorder) Add(x *drift.Observed) {
	if r.failed != nil {
		return
	}
	if len(x.Key) >= shortest {
		r.keys[x.Key] = true
	}
	if reason := r.leftOut(x); reason != "" {
		r.left[reason]++
		return
	}
	if r.failed = r.add(x); !errors.Is(r.failed, errUnreadable) {
		r.recorded++
		return
	}
	r.left["whose body is not what its head says, or a file that cannot be read, so that nothing in it can be replaced"]++
	begun, err := filepath.Glob(filepath.Join(r.directory, fmt.Sprintf("%06d.*", x.Exchange.Number)))
	for _, each := range begun {
		err = errors.Join(err, os.Remove(each))
	}
	r.failed = err
}

// leftOut is why an exchange cannot be recorded; empty for one that can.
func (r *Recorder) leftOut(x *drift.Observed) string {
	switch {
	case x.Exchange.Status == 0 || x.Exchange.Fault != "" || x.Exchange.Broken:
		return "broken off"
	case r.change != nil && x.Entry.Stage == "":
		return "that no schema file lists, so that nothing in them can be replaced by pseudonyms"
	case r.change != nil && x.Entry.Stage != "file" && audit.IsOfPeople(x.Exchange.To.Path+" "+x.Exchange.To.Query):
		return "whose address holds an e-mail address or a telephone number"
	case x.Entry.Stage == "" && !isHost(x.Exchange.To.Origin, r.service):
		return "at other hosts, where no link to a file led"
	case x.Exchange.To.Method == http.MethodHead || x.Exchange.Status == http.StatusPartialContent ||
		x.Exchange.Status == http.StatusNotModified || x.Exchange.Status == http.StatusRequestedRangeNotSatisfiable:
		return "for a part of a file, which a replay cuts out of the whole"
	case !x.File && !slices.Contains([]string{"", "identity", "gzip"},
		http.Header(x.Exchange.Received.Header).Get("Content-Encoding")):
		return "in an encoding other than gzip"
	case !x.File && (tooLong(x.Exchange.Received.Body) || tooLong(x.Exchange.Sent.Body)):
		return "with more than 64 MB that are no file"
	case x.Exchange.Received.Body != nil && !x.Exchange.Received.Body.Whole(), x.Exchange.Sent.Body != nil && !x.Exchange.Sent.Body.Whole():
		return "too large"
	}
	return ""
}

// isHost reports whether an origin is of a host.
func isHost(origin, host string) bool {
	_, of, _ := strings.Cut(origin, "://")
	return strings.EqualFold(of, host)
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
		Path: r.text(x, redacted.Path), Headers: r.headers(x),
		Facts: recording.Facts{
			Stage: entry.Stage, Kind: entry.Kind, Export: entry.Export, ExportStatus: entry.ExportStatus, Parts: entry.Parts, Listed: entry.Listed,
			Part:       entry.Part,
			RetryAfter: entry.RetryAfter, Error: entry.Error,
		},
	}
	if r.change != nil && entry.Error != nil {
		refused := *entry.Error
		refused.Message = journal.Redacted
		made.Facts.Error = &refused
	}
	if took := x.Exchange.Answered.Sub(x.Exchange.Began); !x.Exchange.Answered.IsZero() && took > 0 {
		made.Took = took.Round(time.Microsecond).Seconds()
	}
	if entry.Stage == "file" {
		made.Path, made.Query = filePath(entry.Export, entry.Part, x.Hop), ""
	}
	name := fmt.Sprintf("%06d", x.Exchange.Number)
	if body := x.Exchange.Sent.Body; body != nil && body.Size() > 0 && !r.hides(x, false) {
		if made.Request, err = r.copyText(x, body, name+".request"+ending(x.Exchange.Sent.Header)); err != nil {
			return err
		}
	}
	if body := x.Exchange.Received.Body; body != nil && body.Size() > 0 {
		if r.hides(x, true) {
			maps.DeleteFunc(made.Headers, func(name, _ string) bool { return strings.HasPrefix(name, "Content-") })
			return r.writeJSON(name+".json", made)
		}
		if x.File && x.Exchange.Status == http.StatusOK {
			suffix := ending(x.Exchange.Received.Header)
			if r.change != nil {
				suffix = strings.TrimSuffix(suffix, ".gz")
				maps.DeleteFunc(made.Headers, func(name, _ string) bool { // the others may be about other bytes
					return name != "Content-Type" && name != "Content-Disposition"
				})
			}
			made.Answer, err = r.copyFile(entry.Kind, body, suffix)
		} else {
			made.Answer, err = r.copyText(x, body, name+".answer"+strings.TrimSuffix(ending(x.Exchange.Received.Header), ".gz"))
			delete(made.Headers, "Content-Encoding")
		}
		if err != nil {
			return err
		}
	}
	return r.writeJSON(name+".json", made)
}

// bodies is the reason for bodies that a recording with pseudonyms is without.
const bodies = "bodies that may be about people, in which no schema says how to replace them"

// described are the stages whose bodies schemas describe: they are about exports.
var described = []string{"create", "status", "list"}

// hides reports whether a body must not be in a recording with pseudonyms, since no schema says what is in it. It counts them.
func (r *Recorder) hides(x *drift.Observed, received bool) bool {
	if r.change == nil || slices.Contains(described, x.Entry.Stage) ||
		received && x.File && x.Exchange.Status == http.StatusOK {
		return false
	}
	r.left[bodies]++
	return true
}

// filePath is the path of a part of a file in a replay, behind so many redirects.
func filePath(export string, part, hop int) string {
	path := recording.FilePath + fmt.Sprintf("%s/%d", url.PathEscape(export), part)
	if hop > 0 {
		path += fmt.Sprintf(".%d", hop)
	}
	return path
}

func (r *Recorder) headers(x *drift.Observed) map[string]string {
	headers := map[string]string{}
	for name, values := range x.Exchange.Received.Header {
		if text := strings.Join(values, ", "); recording.Keeps(name, text) {
			if name == "Location" {
				text = r.link(x, text)
			}
			headers[name] = r.text(x, text)
		}
	}
	return headers
}

// shortest is the length of the shortest key that is replaced: shorter ones would be found everywhere.
const shortest = 6

// text is a text without credentials, keys and addresses of the service.
func (r *Recorder) text(x *drift.Observed, text string) string {
	text = x.Redactor.Text(text)
	for key := range r.keys {
		text = strings.ReplaceAll(text, key, recording.Key)
	}
	text = r.origins.ReplaceAllLiteralString(text, recording.Origin)
	if strings.ContainsAny(r.service, ".:") { // another one may be a word
		text = r.hosts.ReplaceAllLiteralString(text, recording.Host)
	}
	return text
}

// link is where a link leads in a recording. One that leads to nobody known loses its query, which may be a credential.
func (r *Recorder) link(x *drift.Observed, address string) string {
	to, err := url.Parse(address)
	if err != nil || to.Host == "" || to.Scheme != "http" && to.Scheme != "https" {
		return address
	}
	switch export, part, hop, known := x.Leads(to); {
	case known && export != "":
		return recording.Origin + filePath(export, part, hop)
	case known:
		to.User = nil
		return recording.Origin + to.RequestURI()
	case strings.EqualFold(to.Host, r.service):
		var redacted journal.Entry
		redacted.SetTarget(to.EscapedPath(), to.RawQuery, x.Redactor)
		if redacted.Query != "" {
			redacted.Query = "?" + redacted.Query
		}
		return recording.Origin + redacted.Path + redacted.Query
	}
	to.RawQuery, to.User = "", nil
	return to.String()
}

// secretMember finds members and parameters by the names of secrets.
var secretMember = pattern.Of(`(?i)((?:"|^|&)[\w-]*(?:token|secret|password|api[_-]?key|session[_-]?id)"?(?:=|\s*:\s*"))` +
	`[^"&\s]+`)

// copyText writes a body that is no file; nil: it must not be in the recording.
func (r *Recorder) copyText(x *drift.Observed, body drift.Body, name string) (*recording.Body, error) {
	from, err := body.Open()
	if err != nil {
		return nil, err
	}
	defer from.Close()
	var plain io.Reader = from
	if body == x.Exchange.Received.Body && http.Header(x.Exchange.Received.Header).Get("Content-Encoding") == "gzip" {
		if plain, err = gzip.NewReader(from); err != nil {
			return nil, fmt.Errorf("%w: %w", errUnreadable, err)
		}
	}
	text, err := io.ReadAll(io.LimitReader(plain, mostText))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnreadable, err)
	}
	text = drift.ReplaceLinks(text, func(link string) string { return r.link(x, link) })
	made := r.text(x, string(text))
	if x.Entry.Stage == "" { // it may be the request of a token
		made = secretMember().ReplaceAllString(made, "${1}"+journal.Redacted)
	}
	if r.change != nil {
		if audit.IsOfPeople(made) || !json.Valid([]byte(made)) {
			r.left[bodies]++
			return nil, nil
		}
		made = r.closed(x, made)
	}
	return &recording.Body{File: name}, r.write(name, []byte(made))
}

var (
	// literals are the texts of a JSON text, members with the colon behind them.
	literals = pattern.Of(`"((?:[^"\\]|\\.)*)"(\s*:)?`)
	// closedForm matches numbers, dates, identifiers, paths and links of the recording, and memberForm plain names of members.
	closedForm = pattern.Of(`^(?:[\d\s:.,TZ+-]*|[A-Za-z]*[_-]?[0-9A-Fa-f-]{8,}|(?:\{\{|/|` + recording.Origin + `)\S*)$`)
	memberForm = pattern.Of(`^[\w$.-]{1,40}$`)
)

// closed is a JSON text in which all other texts are replaced: they may name somebody.
func (r *Recorder) closed(x *drift.Observed, text string) string {
	return literals().ReplaceAllStringFunc(text, func(literal string) string {
		parts := literals().FindStringSubmatch(literal)
		if value := parts[1]; r.words[value] || value == x.Entry.Export || closedForm().MatchString(value) ||
			parts[2] != "" && memberForm().MatchString(value) {
			return literal
		}
		return `"` + journal.Redacted + `"` + parts[2]
	})
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
	} else if err = r.change(kind, body.Open, both); err != nil {
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
	for media, its := range map[string]string{"json": ".json", "csv": ".csv", "ndjson": ".ndjson", "octet-stream": ".bin", "zip": ".zip"} {
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

// Left counts what is not in the recording, by the reason.
func (r *Recorder) Left() map[string]int { return r.left }

// Close tells what was recorded, and what was not. A recording in which the service is still named is not finished: a client
// of its replay might ask the service.
func (r *Recorder) Close() (summary string, err error) {
	var told strings.Builder
	fmt.Fprintf(&told, "%s: %d exchanges", r.directory, r.recorded)
	for _, reason := range slices.Sorted(maps.Keys(r.left)) {
		fmt.Fprintf(&told, "\n  not in it: %d %s", r.left[reason], reason)
	}
	if r.failed != nil {
		return told.String(), r.failed
	}
	host := r.service
	if !strings.ContainsAny(host, ".:") { // it may be a word
		host = "//" + host
	}
	found, err := audit.Holding(os.DirFS(r.directory), host)
	if err == nil && len(found) > 0 {
		unfinished := fmt.Sprintf("the host %s is in %s", r.service, strings.Join(found, ", "))
		if err = r.head(unfinished); err == nil {
			err = fmt.Errorf("the recording is not finished: %s; replace it there, and take unfinished out of %s", unfinished, recording.HeadFile)
		}
	}
	return told.String(), err
}
