// Package sources shows where the answers of a server come from: the recording that it replays, and the world.
package sources

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/auth"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/recording"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// API is what the route shows.
type API struct {
	Access auth.Access
	// Recording is replayed; nil is none.
	Recording *recording.Replay
	Planner   exports.Planner
}

// MostShown is how many exchanges of a recording are shown; all are counted.
const MostShown = 1000

// shown is described by schemas/mock/sources.json.
type shown struct {
	Recording *recorded `json:"recording,omitempty"`
	World     people    `json:"world"`
}

type recorded struct {
	Began     time.Time  `json:"began"`
	Count     int        `json:"count"`
	Exchanges []exchange `json:"exchanges"`
}

type exchange struct {
	Number uint64    `json:"number"`
	Time   time.Time `json:"time"`
	Method string    `json:"method"`
	Path   string    `json:"path"`
	Status int       `json:"status"`
	Stage  string    `json:"stage,omitempty"`
	Kind   string    `json:"kind,omitempty"`
	Export string    `json:"export,omitempty"`
}

type people struct {
	Seed     uint64                     `json:"seed"`
	Profiles int64                      `json:"profiles"`
	Version  int                        `json:"version"`
	Settings map[string]json.RawMessage `json:"settings"`
	Defaults map[string]any             `json:"defaults"`
}

// Routes are the one route.
func (a API) Routes() []*httpd.Route {
	return httpd.MockRoutes(httpd.Group{Name: "Sources", Description: "Where the answers of the server come from."}.Of(
		&httpd.Route{Name: "sources", Method: http.MethodGet, Path: "/_mock/sources", Credential: httpd.Control, Handle: a.show,
			Description: httpd.Description{Summary: "The recording that is replayed, if one is, and the settings of the world beside their defaults."},
			Input:       httpd.Input{ListedQueryOnly: true},
			Output:      httpd.Output{Response: "mock/sources.json"}},
	))
}

func (a API) show(r *httpd.Request) (httpd.Response, error) {
	if err := a.Access.Check(r.Request); err != nil {
		return httpd.Response{}, err
	}
	if r.Malformed != nil {
		return httpd.Response{}, r.Malformed
	}
	if _, err := httpd.ReadQuery(r.URL.RawQuery, r.Route.Query); err != nil {
		return httpd.Response{}, err
	}
	view := shown{World: people{Seed: a.Planner.Seed, Profiles: a.Planner.Profiles, Version: world.Version, Settings: map[string]json.RawMessage{}, Defaults: defaults()}}
	set, err := json.Marshal(a.Planner.Settings)
	if err == nil {
		err = json.Unmarshal(set, &view.World.Settings)
	}
	if err != nil {
		return httpd.Response{}, err
	}
	if a.Recording != nil {
		exchanges := a.Recording.Exchanges()
		view.Recording = &recorded{Began: a.Recording.Began(), Count: len(exchanges), Exchanges: []exchange{}}
		for _, x := range exchanges[:min(len(exchanges), MostShown)] {
			view.Recording.Exchanges = append(view.Recording.Exchanges, exchange{x.Number, x.Time, x.Method, x.Path, x.Status, x.Facts.Stage, x.Facts.Kind, x.Facts.Export})
		}
	}
	return httpd.OK(view), nil
}

// defaults are what the world has where a setting says nothing, as far as it is one value.
func defaults() map[string]any {
	return map[string]any{
		"push_only": world.DefaultPushOnly, "email_only": world.DefaultEmailOnly, "sms": world.DefaultSMS,
		"push_opt_in": world.DefaultPushOptIn, "email_opt_in": world.DefaultEmailOptIn, "sms_opt_in": world.DefaultSMSOptIn,
		"campaigns": world.DefaultCampaigns, "weekly_messages": world.DefaultWeeklyMessages, "growth": world.DefaultGrowth,
		"local_sending": world.DefaultLocalSending, "ends_by_message": world.DefaultEndsByMessage,
		"phones": world.PhonesRepeat, "texture": "realistic",
	}
}
