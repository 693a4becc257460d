package control

import (
	"encoding/json"
	"errors"
	"math"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/clock"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
)

// clockView is what a clock shows, and for whom.
type clockView struct {
	clock.Status
	// Key is whose clock was asked for, and Own whether it is its own.
	Key string `json:"key,omitempty"`
	Own *bool  `json:"own,omitempty"`
	// Keys have clocks of their own; only with the common clock.
	Keys []string `json:"keys,omitempty"`
}

func (a *API) clockView(key string) httpd.Response {
	view := clockView{Status: a.Live.Clock(key), Key: key}
	if key == "" {
		view.Keys = a.Live.KeysWithClocks()
	} else {
		own := a.Live.HasClock(key)
		view.Own = &own
	}
	return httpd.OK(view)
}

// clockKey is the key that the query names, or empty.
func (a *API) clockKey(r *httpd.Request) (string, error) {
	return a.ownKey(r, "leave it out for the common clock")
}

func (a *API) clockGet(r *httpd.Request) (httpd.Response, error) {
	key, err := a.clockKey(r)
	if err != nil {
		return httpd.Response{}, err
	}
	return a.clockView(key), nil
}

// clockReturn gives a key back to the common clock, and without a key the common
// clock back to the real time. A key that has no clock of its own stays with it.
func (a *API) clockReturn(r *httpd.Request) (httpd.Response, error) {
	key, err := a.clockKey(r)
	if err != nil {
		return httpd.Response{}, err
	}
	err = a.Live.ChangeClocks(r.Context(), key, func(clocks *clock.Clocks) error {
		if key == "" {
			clocks.Reset()
		} else {
			clocks.Return(key)
		}
		return nil
	})
	if err != nil {
		return httpd.Response{}, err
	}
	return a.clockView(key), nil
}

// clockSet changes the clock and keeps the change.
func (a *API) clockSet(r *httpd.Request) (httpd.Response, error) {
	key, err := a.clockKey(r)
	if err != nil {
		return httpd.Response{}, err
	}
	members, err := a.readMembers(r)
	if err != nil {
		return httpd.Response{}, err
	}
	change, err := clockChangeOf(members)
	if err != nil {
		return httpd.Response{}, err
	}
	err = a.Live.ChangeClocks(r.Context(), key, func(clocks *clock.Clocks) error {
		err := clocks.Change(key, change.Apply)
		if errors.Is(err, clock.ErrTooMany) {
			return exports.Refuse(exports.Conflict,
				"%d keys have a clock of their own, which is the most; give some back with DELETE /_mock/clock?key=", clock.MostKeys)
		}
		if err != nil {
			return exports.Refuse(exports.MalformedParameter, "%v", err)
		}
		return nil
	})
	if err != nil {
		return httpd.Response{}, err
	}
	return a.clockView(key), nil
}

// clockChangeOf reads a payload that its schema accepts. What is left to refuse is what the clock cannot show.
func clockChangeOf(members exports.Members) (change clock.Change, err error) {
	if text, given := members.String("advance"); given {
		duration, err := time.ParseDuration(text)
		if err != nil {
			return change, exports.RefuseMember("/advance", "maximum", "advance is %q; a duration is at most %d hours", exports.Shorten(text),
				int(time.Duration(math.MaxInt64).Hours()))
		}
		change.Advance = &duration
	}
	if text, given := members.String("set"); given {
		instant, err := time.Parse(time.RFC3339Nano, text)
		if err != nil || instant.Before(clock.Earliest) || instant.After(clock.Latest) {
			return change, exports.RefuseMember("/set", "format", "set is %q; it must be an RFC 3339 date-time from %s to %s", exports.Shorten(text),
				rfc3339(clock.Earliest), rfc3339(clock.Latest))
		}
		instant = instant.UTC()
		change.Set = &instant
	}
	if freeze, given := members["freeze"].(bool); given {
		change.Freeze = &freeze
	}
	if number, given := members["rate"].(json.Number); given {
		rate, err := number.Float64()
		if err != nil || rate < clock.SlowestRate || rate > clock.FastestRate {
			return change, exports.RefuseMember("/rate", "maximum", "rate is %s; it must be from %v to %v", number, clock.SlowestRate,
				clock.FastestRate)
		}
		change.Rate = &rate
	}
	return change, nil
}

func rfc3339(instant time.Time) string { return instant.UTC().Format(time.RFC3339) }
