package api

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// largestLoad is the most a body of rows may have, in bytes: it is held in
// memory, because all of it counts or nothing.
const largestLoad = 64 << 20

// dataRoutes are the routes of own data.
func (s *Service) dataRoutes() []*Route {
	const answer = "mock/data.response.json"
	return []*Route{
		{Name: "data.get", Method: http.MethodGet, Path: "/_mock/data", Credential: Control, handle: s.dataGet,
			Response: answer, Summary: "How much own data there is, and what is shown beside it."},
		{Name: "data.mode", Method: http.MethodPost, Path: "/_mock/data", Credential: Control, handle: s.dataMode,
			Request: "mock/data.request.json", Response: answer, Sample: `{"mode":"mixed"}`, Summary: "Shows own data among the synthetic rows, or alone."},
		{Name: "data.mode.put", Method: http.MethodPut, Path: "/_mock/data", Credential: Control, handle: s.dataMode,
			Request: "mock/data.request.json", Response: answer, Sample: `{"mode":"mixed"}`, Summary: "The same as POST."},
		{Name: "data.reset", Method: http.MethodDelete, Path: "/_mock/data", Credential: Control, handle: s.dataReset,
			Response: answer, Summary: "Goes back to the own data that the server was started with."},
		{Name: "data.load", Method: http.MethodPost, Path: "/_mock/data/{kind}", Credential: Control, handle: s.dataLoad,
			Response: answer, Summary: "Loads rows of own data: profiles, installations or events, as CSV, NDJSON or JSON.",
			RequestMedia: []string{mediaTypeCSV, "application/x-ndjson", mediaTypeJSON}, Sample: "profile_id,custom_id\nprofile_ada,ada\n",
			Query: []schemas.Parameter{s.controlParameter("key", false, "The application key or project key by whose clock events without a date happen. Without it, the clock of all keys that have none of their own.")}},
	}
}

// useData opens own data, unless that is done, and lets files show them.
func (s *Service) useData(config Config) error {
	if s.data = config.Data; s.data == nil {
		people, err := config.Planner.World()
		if err != nil {
			return err
		}
		if s.data, err = dataset.Open(context.Background(), config.Store, people); err != nil {
			return err
		}
	}
	s.files.renderer.UseData(func(generation int64) (*dataset.Snapshot, error) {
		return s.data.At(context.Background(), generation)
	})
	return nil
}

// showData lets a file show own data as it is now.
func (s *Service) showData(ctx context.Context, file *exports.File) error {
	status, err := s.data.Current(ctx)
	if err != nil {
		return fmt.Errorf("reading own data: %w", err)
	}
	file.DataGeneration, file.DataOnly = status.Generation, status.Mode == dataset.Only
	return nil
}

// dataView is what every route of own data answers.
type dataView struct {
	dataset.Status
	Loaded *int `json:"loaded,omitempty"`
}

func shownData(status dataset.Status, loaded *int) response {
	return response{status: http.StatusOK, body: mustJSON(dataView{status, loaded})}
}

func (s *Service) dataGet(r *request) (response, error) {
	status, err := s.data.Current(r.Context())
	if err != nil {
		return response{}, fmt.Errorf("reading own data: %w", err)
	}
	return shownData(status, nil), nil
}

func (s *Service) dataMode(r *request) (response, error) {
	members, err := s.readControl(r)
	if err != nil {
		return response{}, err
	}
	text, _ := members.String("mode")
	mode, err := dataset.ParseMode(text)
	if err != nil {
		return response{}, refuseMember("/mode", "enum", "%v", err)
	}
	status, err := s.data.SetMode(context.WithoutCancel(r.Context()), mode, r.now)
	if err != nil {
		return response{}, unlessReplaced("keeping the mode of own data", err)
	}
	return shownData(status, nil), nil
}

func (s *Service) dataReset(r *request) (response, error) {
	status, err := s.data.Reset(context.WithoutCancel(r.Context()), r.now)
	if err != nil {
		return response{}, unlessReplaced("resetting own data", err)
	}
	return shownData(status, nil), nil
}

// dataLoad loads rows, all or none of them.
func (s *Service) dataLoad(r *request) (response, error) {
	kind := dataset.Kind(r.variables["kind"])
	if !slices.Contains(dataset.Kinds(), kind) {
		return response{}, refuse(RouteNotFound, "there is no own data of kind %q; load profiles, installations or events%s",
			shortened(string(kind)), likelyKind(string(kind)))
	}
	key, err := s.clockKey(r)
	if err != nil {
		return response{}, err
	}
	format, refusal := rowFormat(r.Header)
	if refusal != nil {
		return response{}, refusal
	}
	body := http.MaxBytesReader(nil, r.Body, largestLoad)
	rows, err := dataset.Read(s.library, kind, format, "", body)
	if err != nil {
		return response{}, refuseRows(err)
	}
	status, err := s.data.Load(context.WithoutCancel(r.Context()), rows, s.clocks.Of(key).Now())
	if err != nil {
		return response{}, refuseRows(err)
	}
	loaded := len(rows)
	return shownData(status, &loaded), nil
}

func likelyKind(kind string) string {
	if likely := schemas.Likely(kind, []string{"profiles", "installations", "events"}); likely != "" {
		return "; did you mean " + likely + "?"
	}
	return ""
}

// rowFormat is how a body holds rows, by its media type.
func rowFormat(header http.Header) (dataset.Format, *Error) {
	const allowed = "send text/csv, application/x-ndjson or application/json"
	values := header["Content-Type"]
	if len(values) == 0 {
		return "", refuse(MalformedParameter, "the header Content-Type is missing; %s", allowed)
	}
	if encoding := header.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return "", refuse(MalformedParameter, "the header Content-Encoding is %q; send the body without compression", shortened(encoding))
	}
	mediaType, parameters, err := mime.ParseMediaType(values[0])
	if charset := parameters["charset"]; err == nil && charset != "" && !strings.EqualFold(charset, "utf-8") {
		return "", refuse(MalformedParameter, "the header Content-Type names the charset %q; send UTF-8", shortened(charset))
	}
	if err == nil && len(values) == 1 {
		switch mediaType {
		case "text/csv":
			return dataset.CSV, nil
		case "application/x-ndjson", "application/ndjson", "application/jsonl":
			return dataset.NDJSON, nil
		case mediaTypeJSON:
			return dataset.JSON, nil
		}
	}
	return "", refuse(MalformedParameter, "the header Content-Type is %q; %s", shortened(strings.Join(values, ", ")), allowed)
}

// unlessReplaced refuses a change of own data that a reset or a restored
// snapshot has come before.
func unlessReplaced(doing string, err error) error {
	if errors.Is(err, dataset.ErrReplaced) {
		return refuse(Conflict, "%s: the whole state was replaced at the same time, and nothing was changed; send it again", doing)
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// refuseRows turns what is wrong with rows into a refusal. The list of faults
// stays in the order of the text.
func refuseRows(err error) error {
	var invalid *dataset.InvalidError
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return refuse(MalformedParameter, "the body is larger than %d MB; load it in parts, or start the server with --data", largestLoad>>20)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return unreadable(err)
	case !errors.As(err, &invalid):
		return unlessReplaced("loading own data", err)
	}
	refusal := refuse(MalformedParameter, "nothing was loaded: %v", invalid)
	for _, fault := range invalid.Faults {
		refusal.Problems = append(refusal.Problems, fault.Problem)
	}
	return refusal
}
