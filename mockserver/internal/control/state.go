package control

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/live"
)

// stateVersion is that of the format of a snapshot.
const stateVersion = 2

// stateRoutes are the routes that take, put back and empty the state.
func (a *API) stateRoutes() []*httpd.Route {
	return httpd.Group{Name: "State", Description: "Everything that the server remembers."}.Of(
		&httpd.Route{Name: "state.get", Method: http.MethodGet, Path: "/_mock/state", Credential: httpd.Control, Handle: a.stateGet,
			Description: httpd.Description{Summary: "A snapshot of the whole state: exports, clocks, scenarios, rate limits, secrets."},
			Output:      httpd.Output{Response: "mock/state.json"}},
		&httpd.Route{Name: "state.put", Method: http.MethodPut, Path: "/_mock/state", Credential: httpd.Control, Handle: a.statePut,
			Description: httpd.Description{Summary: "Replaces the whole state with a snapshot."},
			Input:       httpd.Input{Request: "mock/state.json", Sample: `{"version":2,"exports":[]}`},
			Output:      httpd.Output{Response: "mock/state.changed.json"}},
		&httpd.Route{Name: "state.reset", Method: http.MethodDelete, Path: "/_mock/state", Credential: httpd.Control, Handle: a.stateReset,
			Description: httpd.Description{Summary: "Resets the state to that of a new server, but keeps the key that signs links; or resets what belongs to one key."},
			Input: httpd.Input{Query: a.ofKey(false,
				"An application key or a project key: only its exports, clock, scenarios, dataset, rate limits and requests in the journal. Without it, the whole state.")},
			Output: httpd.Output{Response: "mock/state.changed.json"}},
	)
}

// stateView is a snapshot as it is sent. The records are as they are stored.
type stateView struct {
	Version    int                       `json:"version"`
	TakenAt    time.Time                 `json:"taken_at"`
	Exports    []*exports.Record         `json:"exports"`
	RateLimits map[string]exports.Bucket `json:"rate_limits"`
	Settings   map[string]settingView    `json:"settings"`
	Data       []json.RawMessage         `json:"data,omitempty"` // is written and read by itself
}

// settingView is a setting that is JSON, or a secret.
type settingView struct {
	Value  json.RawMessage `json:"value,omitempty"`
	Secret bool            `json:"secret,omitempty"`
	Base64 string          `json:"base64,omitempty"`
}

// stateChanged is the answer to a change of the whole state, or of what belongs to a key.
type stateChanged struct {
	Key     string    `json:"key,omitempty"`
	Exports int       `json:"exports"`
	Now     time.Time `json:"now"`
}

// stateGet shows everything that the store keeps.
func (a *API) stateGet(r *httpd.Request) (httpd.Response, error) {
	limited, cancel := a.Budgets.Deadline(r.Context())
	defer cancel()
	data := a.Live.NewBatches()
	snapshot, err := a.Live.Snapshot(limited, data)
	if err != nil && limited.Err() != nil {
		err = context.Cause(limited)
	}
	if err != nil {
		return httpd.Response{}, errors.Join(err, data.Clear())
	}
	view := stateView{
		Version: stateVersion, TakenAt: r.Now, Exports: snapshot.Records, RateLimits: snapshot.Buckets, Settings: map[string]settingView{},
	}
	if view.Exports == nil {
		view.Exports = []*exports.Record{}
	}
	for name, value := range snapshot.Settings {
		if name != live.LinkSecretSetting && json.Valid(value) {
			view.Settings[name] = settingView{Value: value}
		} else {
			view.Settings[name] = settingView{Secret: true, Base64: base64.StdEncoding.EncodeToString(value)}
		}
	}
	return a.withData(r, httpd.OK(view), data), nil
}

// statePut restores a snapshot.
func (a *API) statePut(r *httpd.Request) (_ httpd.Response, err error) {
	if err := a.Live.Holds("nothing was restored", r.ContentLength, r.ContentLength); err != nil {
		return httpd.Response{}, err
	}
	done, err := a.upload(r)
	if err != nil {
		return httpd.Response{}, err
	}
	defer done()
	data := a.Live.NewBatches()
	defer func() { err = errors.Join(err, data.Clear()) }()
	snapshot, err := a.readState(r.Request, data)
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
	key, err := a.ownKey(r, "nothing was emptied")
	if err != nil {
		return httpd.Response{}, err
	}
	if key != "" {
		return a.stateEmpty(r, key)
	}
	if err := a.Live.Reset(r.Context()); err != nil {
		return httpd.Response{}, err
	}
	return httpd.OK(stateChanged{Now: a.Live.Now()}), nil
}

// stateEmpty empties what belongs to one key.
func (a *API) stateEmpty(r *httpd.Request, key string) (httpd.Response, error) {
	var buckets []string
	for _, kind := range a.Files.Kinds() {
		buckets = append(buckets, exports.BucketOf(kind, key))
	}
	if err := a.Live.Empty(r.Context(), key, buckets); err != nil {
		return httpd.Response{}, err
	}
	return httpd.OK(stateChanged{Key: key, Now: a.Live.NowOf(key)}), nil
}
