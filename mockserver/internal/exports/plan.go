package exports

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/arrival"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Planner turns a valid creation payload into everything the bytes of its file depend on. The server and the generate command share it,
// so both make the same file from the same request.
type Planner struct {
	Seed     uint64
	Profiles int64 // size of the population
	Settings world.Settings
	Arrival  arrival.Arrival
	PartSize int64 // in bytes; 0: as the interface says
}

// settings are those of the world, with the texture that is usual.
func (p Planner) settings() world.Settings {
	p.Settings.Texture = p.Settings.Texture.OrDefault()
	return p.Settings
}

// Plan is the file that a payload asks for.
type Plan struct {
	File File
	// Asked is the from of the payload when the lookback moved the beginning of the window to a later instant; otherwise the zero time.
	Asked time.Time
}

// Plan applies the rules that a JSON Schema cannot express (export API section 1). The payload must have passed the request schema of the
// export. The error is a *[Refusal].
func (p Planner) Plan(export schemas.Export, variables map[string]string, apiKey string, payload Payload, now time.Time) (Plan, error) {
	window, asked, err := windowOf(export, payload, now)
	if err != nil {
		return Plan{}, err
	}
	list := func(role string) []string { return distinct(payload.Strings(export.Roles[role]...)) }
	file := File{
		Kind: export.Kind, Window: window, Now: now, APIKey: apiKey,
		Target: targetOf(variables, export.Path, func(name string) bool { return name == export.Speaks.KeyVariable || export.Reads(name) }),
		Events: list("events"), IDs: list("ids"), Channels: list("channels"), Attributes: list("attributes"), Identifiers: list("identifiers"),
		Seed: p.Seed, Profiles: p.Profiles, Settings: p.settings(), Arrival: p.Arrival, WorldVersion: world.Version, SchemaDigest: export.Digest,
	}
	file.Segment, _ = payload.String(export.Roles["segment"]...)
	if size := export.Speaks.Files.PartSize; size > 0 && export.Response != "" {
		file.PartSize = cmp.Or(p.PartSize, size)
	}
	return Plan{File: file, Asked: asked}, nil
}

// windowOf reads the dates of a payload. `now` means the same instant in both. Data older than the lookback is silently missing from
// legacy files, and an error for profile exports; a floor, where an export has one, only clips. asked is the from of the payload if the
// lookback clipped it. See docs/explanation/specification.md#what-exactly-is-a-window
func windowOf(export schemas.Export, payload Payload, now time.Time) (window Window, asked time.Time, err error) {
	oldest := oldest(export, now)
	window = Window{From: oldest, To: now}
	from, to := bound{name: strings.Join(export.Roles["from"], "/")}, bound{name: strings.Join(export.Roles["to"], "/")}
	for _, role := range []string{"from", "to", "through", "span"} {
		text, given := payload.String(export.Roles[role]...)
		if !given {
			continue
		}
		of := bound{strings.Join(export.Roles[role], "/"), text}
		date, unit, err := readDate(text, now)
		if err != nil {
			return Window{}, asked, RefuseMember("/"+of.name, "format", "%s: %v", of.name, err)
		}
		if role == "from" || role == "span" {
			from, window.From = of, date
		}
		switch role {
		case "to":
			to, window.To = of, date
		case "through", "span":
			to, window.To = of, date.Add(unit)
		}
	}
	if export.Lookback == 0 && from.text == "" && to.text == "" {
		return Window{}, asked, nil // a snapshot
	}
	if window.From.After(window.To) {
		return Window{}, asked, RefuseMember("/"+from.name, "window", "%s (%s) is after %s (%s); %s must not be later than %s",
			from.name, from.text, to.name, to.text, from.name, to.name)
	}
	if export.Lookback > 0 && window.From.Before(oldest) {
		if export.LookbackPolicy == "refuse" {
			return Window{}, asked, RefuseMember("/"+from.name, "lookback",
				"%s (%s) is older than the lookback of %d days; the oldest date allowed is %s",
				from.name, from.text, int(export.Lookback.Hours()/24), oldest.UTC().Format(time.RFC3339))
		}
		asked, window = window.From, window.NotBefore(oldest)
	}
	if export.NotBefore.After(oldest) {
		asked = time.Time{} // the floor decides, whatever the lookback is
	}
	return window.NotBefore(export.NotBefore), asked, nil
}

// bound is a member that says where a window begins or ends.
type bound struct{ name, text string }

// oldest is the first instant of the lookback, in whole seconds: a client that computes the oldest allowed date from its own clock is not
// refused for the fraction. See docs/explanation/specification.md#what-happens-when-from-is-older-than-the-lookback
func oldest(export schemas.Export, now time.Time) time.Time {
	return now.Truncate(time.Second).Add(-export.Lookback)
}

// TargetOf is what a path of the interface says an export is about: its placeholders other than the application key.
func (i Interface) TargetOf(path string, variables map[string]string) string {
	return targetOf(variables, path, func(name string) bool { return name == i.KeyVariable })
}

func targetOf(variables map[string]string, path string, isOther func(name string) bool) (target string) {
	first := true
	for name := range placeholders(path) {
		switch {
		case isOther(name):
		case first:
			first, target = false, variables[name]
		default:
			target += "/" + variables[name]
		}
	}
	return target
}

// Placeholders lists the names in braces of a path, in order.
func Placeholders(path string) []string { return slices.Collect(placeholders(path)) }

func placeholders(path string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for segment := range strings.SplitSeq(path, "/") {
			if strings.HasPrefix(segment, "{") && strings.HasSuffix(segment, "}") && !yield(segment[1:len(segment)-1]) {
				return
			}
		}
	}
}
