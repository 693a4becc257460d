package control

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/live"
	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/filetype"
)

// dataRoutes are the routes of the dataset.
func (a *API) dataRoutes() []*httpd.Route {
	const answer = "mock/data.response.json"
	modeKey := a.ofKey(false, "An application key or a project key, which gets a dataset of its own. Without it, the dataset of the server.")
	return httpd.Group{Name: "Dataset", Description: "Loaded rows, shown together with the synthetic ones or instead of them."}.Of(
		&httpd.Route{Name: "data.get", Method: http.MethodGet, Path: "/_mock/data", Credential: httpd.Control, Handle: a.dataGet,
			Description: httpd.Description{Summary: "Gets the size and mode of the dataset of the server, or of one key."},
			Input: httpd.Input{Query: a.ofKey(false,
				"An application key or a project key: what its exports show. Without it, the dataset of the server.")},
			Output: httpd.Output{Response: answer}},
		&httpd.Route{Name: "data.mode", Method: http.MethodPost, Path: "/_mock/data", Credential: httpd.Control, Handle: a.dataMode,
			Description: httpd.Description{Summary: "Shows the dataset among the synthetic rows, or alone."},
			Input:       httpd.Input{Request: "mock/data.request.json", Sample: `{"mode":"mixed"}`, Query: modeKey},
			Output:      httpd.Output{Response: answer}},
		&httpd.Route{Name: "data.reset", Method: http.MethodDelete, Path: "/_mock/data", Credential: httpd.Control, Handle: a.dataReset,
			Description: httpd.Description{Summary: "Goes back to the dataset that the server was started with, or gives a key back to the dataset of the server."},
			Input: httpd.Input{Query: a.ofKey(false,
				"The application key or project key whose own dataset ends. Without it, the dataset of the server.")},
			Output: httpd.Output{Response: answer}},
		&httpd.Route{Name: "data.load", Method: http.MethodPost, Path: "/_mock/data/{kind}", Credential: httpd.Control, Handle: a.dataLoad,
			Description: httpd.Description{Summary: "Loads rows of the dataset: profiles, installations or events, as CSV, NDJSON or JSON."},
			Input: httpd.Input{RequestMedia: []string{httpd.MediaTypeCSV, "application/x-ndjson", httpd.MediaTypeJSON},
				Sample: "profile_id,custom_id\nprofile_ada,ada\n", Query: a.ofKey(false,
					"An application key or a project key, which gets a dataset of its own: its exports show that, and no others do. Without it, the dataset of the server, for all keys that have none of their own.")},
			Output: httpd.Output{Response: answer, Refusals: []string{exports.Conflict}}},
	)
}

// dataView is what every route of the dataset answers.
type dataView struct {
	dataset.Status
	Loaded *int `json:"loaded,omitempty"`
	// Key is whose dataset was asked for, and Own whether it is its own.
	Key string `json:"key,omitempty"`
	Own *bool  `json:"own,omitempty"`
}

func (a *API) shownData(key string, status dataset.Status, loaded *int) httpd.Response {
	view := dataView{Status: status, Loaded: loaded, Key: key}
	if key != "" {
		own := a.Live.HasData(key)
		view.Own = &own
	}
	return httpd.OK(view)
}

// dataKey is the key that the query names, or empty.
func (a *API) dataKey(r *httpd.Request) (string, error) {
	return a.ownKey(r, "leave it out for the dataset of the server")
}

func (a *API) dataGet(r *httpd.Request) (httpd.Response, error) {
	key, err := a.dataKey(r)
	if err != nil {
		return httpd.Response{}, err
	}
	status, err := a.Live.Data(r.Context(), key)
	if err != nil {
		return httpd.Response{}, err
	}
	return a.shownData(key, status, nil), nil
}

func (a *API) dataMode(r *httpd.Request) (httpd.Response, error) {
	key, err := a.dataKey(r)
	if err != nil {
		return httpd.Response{}, err
	}
	members, err := a.readMembers(r)
	if err != nil {
		return httpd.Response{}, err
	}
	text, _ := members.String("mode")
	mode, err := dataset.ParseMode(text)
	if err != nil {
		return httpd.Response{}, exports.RefuseMember("/mode", "enum", "%v", err)
	}
	status, err := a.Live.SetDataMode(r.Context(), key, mode)
	if err != nil {
		return httpd.Response{}, unlessReplaced("keeping the mode of the dataset", err)
	}
	return a.shownData(key, status, nil), nil
}

func (a *API) dataReset(r *httpd.Request) (httpd.Response, error) {
	key, err := a.dataKey(r)
	if err != nil {
		return httpd.Response{}, err
	}
	status, err := a.Live.ResetData(r.Context(), key)
	if err != nil {
		return httpd.Response{}, unlessReplaced("resetting the dataset", err)
	}
	return a.shownData(key, status, nil), nil
}

// dataLoad loads rows, all or none of them.
func (a *API) dataLoad(r *httpd.Request) (httpd.Response, error) {
	kind := input.Kind(r.Variables["kind"])
	if !slices.Contains(input.Kinds(), kind) {
		return httpd.Response{}, exports.Refuse(exports.RouteNotFound,
			"the dataset has no rows of kind %q; load profiles, installations or events%s",
			exports.Shorten(string(kind)), schemas.DidYouMean(string(kind), []string{"profiles", "installations", "events"}))
	}
	key, err := a.dataKey(r)
	if err != nil {
		return httpd.Response{}, err
	}
	format, err := rowFormat(r.Header)
	if err != nil {
		return httpd.Response{}, err
	}
	if err := a.Live.Holds("nothing was loaded", r.ContentLength, live.RowFactor*r.ContentLength); err != nil {
		return httpd.Response{}, err
	}
	most := a.Budgets.Of(budget.DataRows)
	if err := most.Admit(1); err != nil {
		return httpd.Response{}, err
	}
	done, err := a.upload(r)
	if err != nil {
		return httpd.Response{}, err
	}
	defer done()
	limited, cancel := a.Budgets.Deadline(r.Connected())
	defer cancel()
	largest := a.Budgets.Of(budget.Upload).Limit()
	file, err := filetype.Open(httpd.ReadWithin(limited, http.MaxBytesReader(nil, r.Body, largest)))
	if err != nil {
		return httpd.Response{}, refuseRows(err)
	}
	body := http.MaxBytesReader(nil, io.NopCloser(file), largest) // of the text that was compressed
	rows := a.Live.NewSpool()
	defer rows.Close()
	rows.Fits = most.Admit
	if err := input.ReadInto(rows, a.Library, kind, format, "", body); cmp.Or(err, file.Damage()) != nil {
		return httpd.Response{}, refuseRows(cmp.Or(err, file.Damage()))
	}
	if err := most.Admit(int64(rows.Len())); err != nil {
		return httpd.Response{}, err
	}
	rows.Work = limited
	status, err := a.Live.LoadData(r.Context(), key, rows)
	if err != nil {
		return httpd.Response{}, refuseRows(err)
	}
	loaded := rows.Len()
	return a.shownData(key, status, &loaded), nil
}

// rowFormat is how a body holds rows, by its media type.
func rowFormat(header http.Header) (input.Format, error) {
	const allowed = "send text/csv, application/x-ndjson or application/json"
	values := header["Content-Type"]
	if len(values) == 0 {
		return "", exports.Refuse(exports.MalformedParameter, "the header Content-Type is missing; %s", allowed)
	}
	if encoding := header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return "", exports.Refuse(exports.MalformedParameter, "the header Content-Encoding is %q; send the body without compression",
			exports.Shorten(encoding))
	}
	mediaType, parameters, err := mime.ParseMediaType(values[0])
	if charset := parameters["charset"]; err == nil && charset != "" && !strings.EqualFold(charset, "utf-8") {
		return "", exports.Refuse(exports.MalformedParameter, "the header Content-Type names the charset %q; send UTF-8",
			exports.Shorten(charset))
	}
	if err == nil && len(values) == 1 {
		switch mediaType {
		case "text/csv":
			return input.CSV, nil
		case "application/x-ndjson", "application/ndjson", "application/jsonl":
			return input.NDJSON, nil
		case httpd.MediaTypeJSON:
			return input.JSON, nil
		}
	}
	return "", exports.Refuse(exports.MalformedParameter, "the header Content-Type is %q; %s", exports.Shorten(strings.Join(values, ", ")),
		allowed)
}

// unlessReplaced refuses a change of the dataset that a reset or a restored snapshot has come before.
func unlessReplaced(doing string, err error) error {
	if errors.Is(err, dataset.ErrReplaced) {
		return exports.Refuse(exports.Conflict, "%s: the whole state was replaced at the same time, and nothing was changed; send it again",
			doing)
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// refuseRows turns what is wrong with rows into a refusal. The list of faults stays in the order of the text.
func refuseRows(err error) error {
	var invalid *input.InvalidError
	var tooLarge *http.MaxBytesError
	var exceeded *budget.ExceededError
	var refused *filetype.Error
	switch {
	case errors.As(err, &exceeded):
		return exceeded
	case errors.As(err, &refused):
		return exports.Refuse(exports.MalformedParameter, "nothing was loaded: %v", refused)
	case errors.As(err, &tooLarge):
		return exports.Refuse(exports.MalformedParameter,
			"the body is larger than %s (64 times --limit body); load it in parts, or start the server with --data",
			budget.BytesText(tooLarge.Limit))
	case errors.Is(err, io.ErrUnexpectedEOF):
		return httpd.Unreadable(err)
	case !errors.As(err, &invalid):
		return unlessReplaced("loading the dataset", err)
	}
	refusal := exports.Refuse(exports.MalformedParameter, "nothing was loaded: %v", invalid)
	for _, fault := range invalid.Faults {
		refusal.Problems = append(refusal.Problems, fault.Problem)
	}
	return refusal
}
