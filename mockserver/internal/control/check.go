package control

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"mime/multipart"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check/rules"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
)

const (
	// mostCheckedFiles bounds one check, whose files are kept on disk while it runs.
	mostCheckedFiles = 100
	// diskFactor is how much of the budget a byte of the form takes: it is kept, and sorted.
	diskFactor = 2
	// checkMemory is how much of the files is kept in memory, and how much their sorting takes.
	checkMemory = 32 << 20
	// mostFindings is how many findings of each rule an answer has.
	mostFindings = 50
)

// checkSample is a form with the head of a file, as an object.
const checkSample = `{"file":["install_id;custom_id;advertising_id;is_optin_push;install_date;last_start_date;smart_segment\n"]}`

// checkResult is the answer of a check of several files.
type checkResult struct {
	check.Summary
	Violations int64           `json:"violations"`
	Findings   []check.Finding `json:"findings"`
}

// checkFiles checks export files against each other, as the command check of the program does. The body is a form with one file for each
// export; further fields say what files do not, as FILE=VALUE: kind, campaign and window (FROM/TO, or the moment of a snapshot); arrival
// is one word of how rows were asked to arrive.
func (a *API) checkFiles(r *httpd.Request) (httpd.Response, error) {
	if mediaType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || mediaType != "multipart/form-data" {
		return httpd.Response{}, exports.Refuse(exports.MalformedParameter,
			"the header Content-Type is %q; send the files as multipart/form-data, such as curl -F file=@events.csv does",
			exports.Shorten(r.Header.Get("Content-Type")))
	}
	spooled := &spool{ReadCloser: r.Body, disk: a.Budgets.Of(budget.Disk)}
	defer spooled.release()
	if err := spooled.take(r.ContentLength); err != nil {
		return httpd.Response{}, err
	}
	if err := a.Live.Holds("nothing was checked", 0, diskFactor*r.ContentLength); err != nil {
		return httpd.Response{}, err
	}
	r.Body = spooled
	err := r.ParseMultipartForm(checkMemory)
	if r.MultipartForm != nil {
		defer r.MultipartForm.RemoveAll()
	}
	if err != nil {
		return httpd.Response{}, spooled.explain(err)
	}
	limited, cancel := a.Budgets.Deadline(r.Context())
	defer cancel()
	inputs, closeAll, err := checkInputs(r.MultipartForm, a.dialect, r.Now)
	defer closeAll()
	if err != nil {
		return httpd.Response{}, err
	}
	result := checkResult{Findings: []check.Finding{}}
	options := check.Options{Memory: checkMemory, MaxFindings: mostFindings, Now: r.Now, Arrival: r.MultipartForm.Value["arrival"]}
	result.Summary, err = check.Files(limited, a.Library, inputs, options, func(found check.Finding) bool {
		result.Findings = append(result.Findings, found)
		return true
	})
	var unknown *check.KindError
	if errors.As(err, &unknown) {
		return httpd.Response{}, exports.RefuseMember("/file", "enum", "%v", unknown)
	}
	var arrival *rules.ArrivalError
	if errors.As(err, &arrival) {
		return httpd.Response{}, exports.RefuseMember("/arrival", "enum", "the field arrival: %v", arrival)
	}
	if limited.Err() != nil {
		err = context.Cause(limited)
	}
	if err != nil {
		return httpd.Response{}, fmt.Errorf("checking %d files: %w", len(inputs), err)
	}
	result.Violations = result.Summary.Violations()
	return httpd.OK(result), nil
}

// checkInputs are the files of a form, with what its fields say of them.
func checkInputs(form *multipart.Form, dialect exports.Dialect, now time.Time) (inputs []check.Input, closeAll func(), err error) {
	var opened []multipart.File
	closeAll = func() {
		for _, file := range opened {
			file.Close()
		}
	}
	headers := form.File["file"]
	if len(headers) == 0 || len(headers) > mostCheckedFiles {
		return nil, closeAll, exports.RefuseMember("/file", "minItems", "the form has %d files under the name file; allowed: 1 to %d",
			len(headers), mostCheckedFiles)
	}
	byName := map[string]int{}
	for i, header := range headers {
		if _, twice := byName[header.Filename]; twice || header.Filename == "" {
			return nil, closeAll, exports.RefuseMember("/file", "uniqueItems", "two files have the name %q; each needs one of its own",
				exports.Shorten(header.Filename))
		}
		byName[header.Filename] = i
		file, err := header.Open()
		if err != nil {
			return nil, closeAll, fmt.Errorf("opening a file of a form: %w", err)
		}
		opened = append(opened, file)
		input := check.Input{Name: header.Filename, Reader: file}
		input.Export, input.Part = dialect.PartOf(header.Filename)
		inputs = append(inputs, input)
	}
	for name, values := range form.Value {
		if name == "arrival" {
			continue // of all files
		}
		for _, value := range values {
			if err := describeInput(inputs, byName, name, value, now); err != nil {
				return nil, closeAll, err
			}
		}
	}
	return inputs, closeAll, nil
}

// describeInput takes one field of the form, FILE=VALUE.
func describeInput(inputs []check.Input, byName map[string]int, name, value string, now time.Time) error {
	at := strings.LastIndexByte(value, '=')
	index, known := byName[value[:max(at, 0)]]
	if !known {
		return exports.RefuseMember("/"+httpd.EscapePointer(name), "pattern",
			"the field %s is %q; it must be FILE=VALUE, with the name of one of the files", exports.Shorten(name), exports.Shorten(value))
	}
	input, text := &inputs[index], value[at+1:]
	switch name {
	case "kind":
		input.Kind = text
	case "campaign":
		input.Campaign = text
	case "window":
		said, err := exports.ParseWindow(text, now)
		if err != nil {
			return exports.RefuseMember("/window", "format", "the field window of %s: %v", exports.Shorten(input.Name), err)
		}
		input.From, input.To, input.Moment = said.From, said.To, said.IsMoment(text)
	default:
		return exports.RefuseMember("/"+httpd.EscapePointer(name), "additionalProperties",
			"the field %q is not known; allowed: file, kind, campaign, window, arrival", exports.Shorten(name))
	}
	return nil
}
