package recording

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Moving are the members of payloads, as JSON Pointers, that may differ between a recording and its replay.
type Moving struct {
	// Windows are dates that keep their distance from the clock.
	Windows []string
	// Ignore are not compared.
	Ignore []string
}

// members are the parts of a request by which it is found: members of the payload by pointer, parameters and headers.
type members map[string]string

// membersOf takes a request apart.
func membersOf(query string, credentials []string, body []byte) members {
	made := members{}
	parameters, err := url.ParseQuery(query)
	if err != nil {
		parameters = url.Values{"": {query}}
	}
	for name, values := range parameters {
		made["?"+name] = strings.Join(values, "&")
	}
	for _, name := range credentials {
		made["the header "+name] = "sent"
	}
	if value, err := schemas.Decode(body); err == nil {
		made.add("", value)
	} else if text := strings.TrimSpace(string(body)); text != "" {
		made.form(text)
	}
	return made
}

// form adds a payload that is no JSON: the parameters of a form, or the whole.
func (m members) form(text string) {
	parameters, err := url.ParseQuery(text)
	if err != nil || !strings.Contains(text, "=") {
		m["the payload"] = text
		return
	}
	for name, values := range parameters {
		m["the payload's "+name] = strings.Join(values, "&")
	}
}

func (m members) add(pointer string, value any) {
	switch of := value.(type) {
	case map[string]any:
		if len(of) == 0 {
			m[pointer] = "{}"
		}
		for name, member := range of {
			m.add(pointer+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(name), member)
		}
	case []any:
		if len(of) == 0 {
			m[pointer] = "[]"
		}
		for i, item := range of {
			m.add(pointer+"/"+strconv.Itoa(i), item)
		}
	default:
		text, _ := json.Marshal(value)
		m[pointer] = string(text)
	}
}

// date is the date of a member that moves with the clock.
func (m members) date(pointer string) (time.Time, bool) {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", time.DateTime, time.DateOnly} {
		if moment, err := time.Parse(layout, strings.Trim(m[pointer], `"`)); err == nil {
			return moment.UTC(), true
		}
	}
	return time.Time{}, false
}

// without leaves out members and all below them.
func (m members) without(pointers []string) members {
	kept := maps.Clone(m)
	maps.DeleteFunc(kept, func(name, _ string) bool {
		return slices.ContainsFunc(pointers, func(pointer string) bool { return name == pointer || strings.HasPrefix(name, pointer+"/") })
	})
	return kept
}

// differ lists the members that differ from a recorded request. A secret that was redacted there may have any value.
func (m members) differ(from members) (names []string) {
	for name := range m {
		other, there := from[name]
		if !there || other != m[name] && !strings.Contains(other, journal.Redacted) {
			names = append(names, name)
		}
	}
	for name := range from {
		if _, there := m[name]; !there {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// unevenness is how far apart two distances from a clock may be that are the same.
const unevenness = 5 * time.Minute

// apart reports whether two dates have different distances from two clocks. Dates of one time of day are compared by days.
func apart(a, nowA, b, nowB time.Time) bool {
	day := 24 * time.Hour
	if a.Sub(a.Truncate(day)) == b.Sub(b.Truncate(day)) {
		return a.Truncate(day).Sub(nowA.Truncate(day)) != b.Truncate(day).Sub(nowB.Truncate(day))
	}
	return (a.Sub(nowA) - b.Sub(nowB)).Abs() > unevenness
}

// differing lists the members by which a request is not a recorded one, at a moment.
func (r *Replay) differing(x *Exchange, asked members, now time.Time) []string {
	return slices.DeleteFunc(asked.differ(x.members), func(name string) bool {
		if !slices.Contains(r.moving.Windows, name) {
			return false
		}
		recorded, is := x.members.date(name)
		sent, too := asked.date(name)
		return is && too && !apart(sent, now.UTC(), recorded, x.Time)
	})
}

// matching are the recorded exchanges that a request matches: as it is, or else by the distance of dates from one of the clocks.
func (r *Replay) matching(place string, asked members, clocks []time.Time) (series []*Exchange) {
	all := r.places[place]
	for _, x := range all {
		if len(asked.differ(x.members)) == 0 {
			series = append(series, x)
		}
	}
	for _, now := range clocks {
		if len(series) > 0 {
			break
		}
		for _, x := range all {
			if len(r.differing(x, asked, now)) == 0 {
				series = append(series, x)
			}
		}
	}
	return series
}

// placeOf names the endpoint of a request.
func placeOf(method, path string) string { return method + " " + path }

// Unlisted is a path that was recorded and that no schema file lists: {key} and {export} stand in it for what differs in a replay.
type Unlisted struct{ Method, Template string }

// Unlisted lists them.
func (r *Replay) Unlisted() (all []Unlisted) {
	for _, place := range slices.Sorted(maps.Keys(r.places)) {
		if r.places[place][0].Facts.Stage != "" {
			continue
		}
		method, path, _ := strings.Cut(place, " ")
		parts := strings.Split(path, "/")
		for i, part := range parts {
			if _, is := r.created[part]; is && part != "" {
				parts[i] = "{export}"
			} else if part == Key {
				parts[i] = "{key}"
			}
		}
		made := Unlisted{method, strings.Join(parts, "/")}
		if method != "HEAD" && !slices.Contains(all, made) {
			all = append(all, made)
		}
	}
	return all
}

// Nearest says why there is no answer to a request: which exchange is the nearest, and which members differ.
func (r *Replay) Nearest(request *Request) string {
	place, asked, _ := r.read(request)
	var nearest *Exchange
	var differ []string
	for _, now := range request.clocks() {
		for _, x := range r.places[place] {
			if its := r.differing(x, asked, now); nearest == nil || len(its) < len(differ) {
				nearest, differ = x, its
			}
		}
	}
	if nearest == nil {
		return "the recording has no request " + place
	}
	const most = 5
	more := ""
	if len(differ) > most {
		more = fmt.Sprintf(" and %d more", len(differ)-most)
		differ = differ[:most]
	}
	return fmt.Sprintf("the nearest exchange of the recording, %d, differs in %s", nearest.Number, strings.Join(differ, ", ")+more)
}
