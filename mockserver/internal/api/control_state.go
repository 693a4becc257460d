package api

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/clock"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

const (
	// LinkSecretSetting is the setting of the store that keeps the key that
	// signs links.
	LinkSecretSetting = "link-secret"
	// stateVersion is that of the format of a snapshot.
	stateVersion = 1
	// largestState is the most a snapshot may have that is restored, in bytes.
	largestState = 64 << 20
)

// stateRoutes are the routes that take, put back and empty the whole state.
func (s *Service) stateRoutes() []*Route {
	return madeOwn([]*Route{
		{Name: "state.get", Method: http.MethodGet, Path: "/_mock/state", Credential: Control, handle: s.stateGet,
			Response: "mock/state.json", Summary: "A snapshot of the whole state: exports, clocks, scenarios, rate limits, secrets."},
		{Name: "state.put", Method: http.MethodPut, Path: "/_mock/state", Credential: Control, handle: s.statePut,
			Request: "mock/state.json", Response: "mock/state.changed.json", Sample: `{"version":1,"exports":[]}`, Summary: "Puts a snapshot in the place of the whole state."},
		{Name: "state.reset", Method: http.MethodDelete, Path: "/_mock/state", Credential: Control, handle: s.stateReset,
			Response: "mock/state.changed.json", Summary: "Empties the state: it is that of a new server, but for the key that signs links."},
	})
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

// stateChanged is the answer to a change of the whole state.
type stateChanged struct {
	Exports int       `json:"exports"`
	Now     time.Time `json:"now"`
}

// stateGet shows everything that the store keeps.
func (s *Service) stateGet(r *request) (response, error) {
	snapshot, err := s.store.Snapshot(r.Context())
	if err != nil {
		return response{}, fmt.Errorf("taking a snapshot: %w", err)
	}
	view := stateView{
		Version: stateVersion, TakenAt: r.now, Exports: snapshot.Records, RateLimits: snapshot.Buckets, Settings: map[string]settingView{},
	}
	if view.Exports == nil {
		view.Exports = []*exports.Record{}
	}
	for _, batch := range snapshot.Data {
		view.Data = append(view.Data, batch)
	}
	for name, value := range snapshot.Settings {
		if name != LinkSecretSetting && json.Valid(value) {
			view.Settings[name] = settingView{Value: value}
		} else {
			view.Settings[name] = settingView{Secret: true, Base64: base64.StdEncoding.EncodeToString(value)}
		}
	}
	return response{status: http.StatusOK, body: mustJSON(view)}, nil
}

// statePut restores a snapshot.
func (s *Service) statePut(r *request) (response, error) {
	snapshot, err := s.readState(r.Request)
	if err != nil {
		return response{}, err
	}
	return s.replaceState(r.Context(), snapshot)
}

// stateReset empties the state. Links that were given out stay genuine; their
// exports are gone.
func (s *Service) stateReset(r *request) (response, error) {
	empty := &store.Snapshot{Settings: map[string][]byte{}}
	if !s.startAt.IsZero() {
		first := clock.New(s.realNow, clock.State{})
		if err := first.Set(s.startAt); err != nil {
			return response{}, fmt.Errorf("setting the clock: %w", err)
		}
		empty.Settings[ClockSetting] = mustJSON(first.State())
	}
	return s.replaceState(r.Context(), empty)
}

// readState reads a snapshot and checks everything that the server would trip
// over later.
func (s *Service) readState(r *http.Request) (*store.Snapshot, error) {
	if refusal := checkMediaType(r.Header); refusal != nil {
		return nil, refusal
	}
	text, err := readUpTo(r, largestState)
	if err != nil {
		return nil, err
	}
	value, err := decode(text)
	if err != nil {
		return nil, err
	}
	if err := s.library.Validate("mock/state.json", value); err != nil {
		return nil, refuseInvalid(err)
	}
	var view stateView
	if err := json.Unmarshal(text, &view); err != nil {
		return nil, refuse(MalformedParameter, "the snapshot cannot be read: %v; send one that GET /_mock/state answered", err)
	}
	snapshot := &store.Snapshot{Records: view.Exports, Buckets: view.RateLimits, Settings: map[string][]byte{}}
	seen := map[string]bool{}
	for i, record := range view.Exports {
		at := fmt.Sprintf("/exports/%d", i)
		if seen[record.ID] {
			return nil, refuseMember(at+"/id", "uniqueItems", "the id %q is that of another export already; every export has one of its own", shortened(record.ID))
		}
		seen[record.ID] = true
		if s.formats[record.Kind] == "" {
			return nil, refuseMember(at+"/kind", "enum", "kind is %q, which this server does not know; it may need the schemas of the server that took the snapshot (--schemas)", shortened(record.Kind))
		}
	}
	for name, setting := range view.Settings {
		snapshot.Settings[name] = setting.Value
		if setting.Value == nil {
			if snapshot.Settings[name], err = base64.StdEncoding.DecodeString(setting.Base64); err != nil {
				return nil, refuseMember("/settings/"+escapePointer(name)+"/base64", "contentEncoding", "base64 cannot be decoded: %v", err)
			}
		}
	}
	for _, batch := range view.Data {
		snapshot.Data = append(snapshot.Data, batch)
	}
	return snapshot, s.tryState(r.Context(), snapshot)
}

// tryState refuses clocks, scenarios and own data that could not be used.
func (s *Service) tryState(ctx context.Context, snapshot *store.Snapshot) error {
	trial := store.NewMemory()
	defer trial.Close()
	if err := trial.Restore(ctx, &store.Snapshot{Settings: snapshot.Settings, Data: snapshot.Data}); err != nil {
		return err
	}
	if _, err := ClockStates(ctx, trial); err != nil {
		return refuseMember("/settings/"+ClockSetting, "format", "the clocks of the snapshot are not usable: %v", err)
	}
	if err := (&rules{store: trial}).load(ctx); err != nil {
		return refuseMember("/settings/"+ScenariosSetting, "format", "the scenarios of the snapshot are not usable: %v", err)
	}
	if _, err := dataset.Open(ctx, trial, nil); err != nil {
		return refuseMember("/data", "format", "the own data of the snapshot is not usable: %v", err)
	}
	return nil
}

// replaceState puts a snapshot in the place of the state, and brings everything
// up to date that is kept in memory. A snapshot without a key for links leaves
// the present one. The change has begun: a client that has gone away does not
// stop it halfway.
func (s *Service) replaceState(ctx context.Context, snapshot *store.Snapshot) (response, error) {
	ctx = context.WithoutCancel(ctx)
	s.clockLock.Lock()
	defer s.clockLock.Unlock()
	settings := map[string][]byte{}
	for name, value := range snapshot.Settings {
		settings[name] = value
	}
	if len(settings[LinkSecretSetting]) == 0 {
		secret, err := s.store.Setting(ctx, LinkSecretSetting)
		if err == nil {
			settings[LinkSecretSetting] = secret
		} else if !errors.Is(err, store.ErrNotFound) {
			return response{}, fmt.Errorf("reading the key for links: %w", err)
		}
	}
	err := s.rules.replace(ctx, func() error {
		return s.store.Restore(ctx, &store.Snapshot{Records: snapshot.Records, Buckets: snapshot.Buckets, Settings: settings, Data: snapshot.Data})
	})
	if err != nil {
		return response{}, fmt.Errorf("replacing the state: %w", err)
	}
	if err := s.reload(ctx, true); err != nil {
		return response{}, err
	}
	return response{status: http.StatusOK, body: mustJSON(stateChanged{Exports: len(snapshot.Records), Now: s.Now()})}, nil
}
