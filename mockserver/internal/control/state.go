package control

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/live"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// stateVersion is that of the format of a snapshot. Version 1 had records and
// rate limits with names in camel case.
const stateVersion = 2

// stateRoutes are the routes that take, put back and empty the state.
func (a *API) stateRoutes() []*httpd.Route {
	return []*httpd.Route{
		{Name: "state.get", Method: http.MethodGet, Path: "/_mock/state", Credential: httpd.Control, Handle: a.stateGet,
			Description: httpd.Description{Summary: "A snapshot of the whole state: exports, clocks, scenarios, rate limits, secrets."},
			Output:      httpd.Output{Response: "mock/state.json"}},
		{Name: "state.put", Method: http.MethodPut, Path: "/_mock/state", Credential: httpd.Control, Handle: a.statePut,
			Description: httpd.Description{Summary: "Replaces the whole state with a snapshot."},
			Input:       httpd.Input{Request: "mock/state.json", Sample: `{"version":2,"exports":[]}`},
			Output:      httpd.Output{Response: "mock/state.changed.json"}},
		{Name: "state.reset", Method: http.MethodDelete, Path: "/_mock/state", Credential: httpd.Control, Handle: a.stateReset,
			Description: httpd.Description{Summary: "Resets the state to that of a new server, but keeps the key that signs links; or resets what belongs to one key."},
			Input:       httpd.Input{Query: a.ofKey(false, "An application key or a project key: only its exports, clock, scenarios, rate limits and requests in the journal. Without it, the whole state.")},
			Output:      httpd.Output{Response: "mock/state.changed.json"}},
	}
}

// stateView is a snapshot as it is sent. The records are as they are stored.
type stateView struct {
	Version    int                       `json:"version"`
	TakenAt    time.Time                 `json:"taken_at"`
	Exports    []*exports.Record         `json:"exports"`
	RateLimits map[string]exports.Bucket `json:"rate_limits"`
	Settings   map[string]settingView    `json:"settings"`
	Data       []json.RawMessage         `json:"data,omitempty"`
}

// settingView is a setting that is JSON, or a secret.
type settingView struct {
	Value  json.RawMessage `json:"value,omitempty"`
	Secret bool            `json:"secret,omitempty"`
	Base64 string          `json:"base64,omitempty"`
}

// stateChanged is the answer to a change of the whole state, or of what belongs
// to a key.
type stateChanged struct {
	Key     string    `json:"key,omitempty"`
	Exports int       `json:"exports"`
	Now     time.Time `json:"now"`
}

// stateGet shows everything that the store keeps.
func (a *API) stateGet(r *httpd.Request) (httpd.Response, error) {
	snapshot, err := a.Live.Snapshot(r.Context())
	if err != nil {
		return httpd.Response{}, err
	}
	view := stateView{
		Version: stateVersion, TakenAt: r.Now, Exports: snapshot.Records, RateLimits: snapshot.Buckets, Settings: map[string]settingView{},
	}
	if view.Exports == nil {
		view.Exports = []*exports.Record{}
	}
	for _, batch := range snapshot.Data {
		view.Data = append(view.Data, batch)
	}
	for name, value := range snapshot.Settings {
		if name != live.LinkSecretSetting && json.Valid(value) {
			view.Settings[name] = settingView{Value: value}
		} else {
			view.Settings[name] = settingView{Secret: true, Base64: base64.StdEncoding.EncodeToString(value)}
		}
	}
	return httpd.OK(view), nil
}

// statePut restores a snapshot.
func (a *API) statePut(r *httpd.Request) (httpd.Response, error) {
	done, err := a.upload(r)
	if err != nil {
		return httpd.Response{}, err
	}
	defer done()
	snapshot, err := a.readState(r.Request)
	if err != nil {
		return httpd.Response{}, err
	}
	if err := a.Live.Replace(r.Context(), snapshot); err != nil {
		return httpd.Response{}, err
	}
	return httpd.OK(stateChanged{Exports: len(snapshot.Records), Now: a.Live.Now()}), nil
}

// stateReset empties the state, or what belongs to one key.
func (a *API) stateReset(r *httpd.Request) (httpd.Response, error) {
	if key, given := r.Query["key"]; given {
		return a.stateEmpty(r, key)
	}
	if err := a.Live.Reset(r.Context()); err != nil {
		return httpd.Response{}, err
	}
	return httpd.OK(stateChanged{Now: a.Live.Now()}), nil
}

// stateEmpty empties what belongs to one key.
func (a *API) stateEmpty(r *httpd.Request, key string) (httpd.Response, error) {
	if !a.Keys.Owns(key) {
		return httpd.Response{}, exports.Refuse(exports.MalformedParameter, "the query parameter key is %q, which is no application key and no project key of this server; nothing was emptied", exports.Shorten(key))
	}
	var buckets []string
	for _, kind := range a.Files.Kinds() {
		buckets = append(buckets, exports.BucketOf(kind, key))
	}
	if err := a.Live.Empty(r.Context(), key, buckets); err != nil {
		return httpd.Response{}, err
	}
	return httpd.OK(stateChanged{Key: key, Now: a.Live.NowOf(key)}), nil
}

// readState reads a snapshot and checks everything that the server would trip
// over later.
func (a *API) readState(r *http.Request) (*store.Snapshot, error) {
	if err := httpd.CheckMediaType(r.Header); err != nil {
		return nil, err
	}
	text, err := httpd.ReadUpTo(r, int(a.Budgets.Of(budget.Upload).Limit()))
	if err != nil {
		return nil, err
	}
	value, err := httpd.Decode(text)
	if err != nil {
		return nil, err
	}
	if members, _ := value.(map[string]any); members["version"] == json.Number("1") {
		if text, err = fromVersion1(text); err == nil {
			value, err = httpd.Decode(text)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := a.Library.Validate("mock/state.json", value); err != nil {
		return nil, httpd.RefuseInvalid(err)
	}
	var view stateView
	if err := json.Unmarshal(text, &view); err != nil {
		return nil, unreadable(text, err)
	}
	snapshot := &store.Snapshot{Records: view.Exports, Buckets: view.RateLimits, Settings: map[string][]byte{}}
	seen := map[string]bool{}
	for i, record := range view.Exports {
		at := fmt.Sprintf("/exports/%d", i)
		if seen[record.ID] {
			return nil, exports.RefuseMember(at+"/id", "uniqueItems", "the id %q is that of another export already; every export has one of its own", exports.Shorten(record.ID))
		}
		seen[record.ID] = true
		if err := a.checkRecord(at, record, len(view.Data)); err != nil {
			return nil, err
		}
	}
	for key, bucket := range view.RateLimits {
		if err := checkInstant("/rate_limits/"+httpd.EscapePointer(key)+"/full_at", bucket.FullAt); err != nil {
			return nil, err
		}
	}
	for name, setting := range view.Settings {
		snapshot.Settings[name] = setting.Value
		if setting.Value == nil {
			if snapshot.Settings[name], err = base64.StdEncoding.DecodeString(setting.Base64); err != nil {
				return nil, exports.RefuseMember("/settings/"+httpd.EscapePointer(name)+"/base64", "contentEncoding", "base64 cannot be decoded: %v", err)
			}
		}
	}
	for _, batch := range view.Data {
		snapshot.Data = append(snapshot.Data, batch)
	}
	return snapshot, a.Live.Check(r.Context(), snapshot)
}

// fromVersion1 turns a snapshot of version 1 into one of this version. What is
// wrong with it stays wrong, for the schema to tell.
func fromVersion1(text []byte) ([]byte, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return nil, err
	}
	members["version"] = json.RawMessage(strconv.Itoa(stateVersion))
	var records []snakeCased
	if json.Unmarshal(members["exports"], &records) == nil {
		members["exports"], _ = json.Marshal(records) // it was JSON before
	}
	var limits map[string]snakeCased
	if json.Unmarshal(members["rate_limits"], &limits) == nil {
		members["rate_limits"], _ = json.Marshal(limits)
	}
	return json.Marshal(members)
}

// snakeCased is JSON that is read with [store.SnakeCase].
type snakeCased struct{ json.RawMessage }

func (s *snakeCased) UnmarshalJSON(text []byte) (err error) {
	s.RawMessage, err = store.SnakeCase(text)
	return err
}
