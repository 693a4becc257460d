package learn

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift/amend"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/importer"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// request is which files are made of a world.
type request struct {
	seed     uint64
	profiles int64
	from, to time.Time
	// targets are, by kind, the campaigns and groups of which there are files; nil for kinds that have none.
	targets    map[string][]string
	attributes []string // custom ones
	// copies are, by kind, windows that are asked for in place of the one, so that several files tell of the same hours.
	copies map[string][]windowOf
	least  int64 // people who share a value
	memory importer.Options
}

// asBase asks for files like those of a base.
func asBase(b *base, seed uint64, profiles, least int64, options importer.Options) request {
	made := request{seed: seed, profiles: profiles, targets: map[string][]string{}, attributes: b.attributeNames(least), memory: options, least: least, copies: b.copies()}
	made.to = time.Unix(int64(b.times.latest.value())+1, 0).UTC()
	made.from = made.to.Add(-trialDays * 24 * time.Hour)
	if first := -int64(b.times.first.value()); first > made.from.Unix() && first < made.to.Unix() {
		made.from = time.Unix(first, 0).UTC()
	}
	// The world begins in 2024; a base may be older, and is shifted by whole years of weeks.
	for made.to.Before(earliestTrial) {
		made.from, made.to = made.from.AddDate(0, 0, 7*yearWeek), made.to.AddDate(0, 0, 7*yearWeek)
		for _, windows := range made.copies {
			for i := range windows {
				for _, date := range []*time.Time{&windows[i].from, &windows[i].to, &windows[i].now} {
					*date = date.AddDate(0, 0, 7*yearWeek)
				}
			}
		}
	}
	for _, file := range b.files {
		if file.Kind == "" || file.Rows == 0 {
			continue
		}
		known := made.targets[file.Kind]
		if len(known) < trialTargets && !slices.Contains(known, file.Campaign) {
			made.targets[file.Kind] = append(known, file.Campaign)
		}
	}
	for kind, list := range made.targets { // names of campaigns do not matter, and choose
		for i := range list {
			list[i] = fmt.Sprintf("trial-%d", i)
		}
		made.targets[kind] = list
	}
	return made
}

// Of a trial: how many days of events, and of how many campaigns of a kind.
const (
	trialDays    = 42
	trialTargets = 8
)

// earliestTrial is when a world has had time to fill.
var earliestTrial = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

// try makes the files of a draft and counts what they say.
func (d *draft) try(ctx context.Context, bench *amend.Bench, of request) (*base, error) {
	library := bench.Library()
	renderer := rows.NewRenderer(library)
	planner := exports.Planner{Seed: of.seed, Profiles: of.profiles, Settings: d.settings(), Arrival: d.arrival()}
	if err := rows.CheckSettings(library, planner.Settings); err != nil {
		return nil, err
	}
	var inputs []importer.Input
	var made []*rendered
	defer func() {
		for _, each := range made {
			each.end()
		}
	}()
	for _, export := range library.Exports() {
		for at, target := range of.targets[export.Kind] {
			windows := []windowOf{{of.from, of.to, of.to}}
			if copies := of.copies[export.Kind]; at == 0 && d.timing.late.Share > 0 && copies != nil {
				windows = append(of.before(copies), copies...)
			}
			for _, window := range windows {
				file, err := open(library, renderer, export, planner, target, of, window)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", export.Kind, err)
				}
				content := &rendered{ctx: ctx, file: file}
				made = append(made, content)
				inputs = append(inputs, importer.Input{Name: export.Kind + "." + target, Kind: export.Kind, Campaign: target, Reader: content})
			}
		}
	}
	return read(ctx, library, inputs, of.memory, of.least)
}

// before is what there is before some windows, as one.
func (r *request) before(windows []windowOf) []windowOf {
	first := slices.MinFunc(windows, func(a, b windowOf) int { return a.from.Compare(b.from) }).from
	if !r.from.Before(first) {
		return nil
	}
	return []windowOf{{r.from, first, first}}
}

// open plans one file.
func open(library *schemas.Library, renderer *rows.Renderer, export schemas.Export, planner exports.Planner, target string, of request, window windowOf) (*rows.File, error) {
	template := exports.TemplateOf(library, export)
	payload := template.Everything()
	if list, is := payload["attributes"].([]any); is {
		for _, name := range of.attributes {
			list = append(list[:len(list):len(list)], name)
		}
		payload["attributes"] = list
	}
	for name, date := range map[string]time.Time{"from": window.from, "to": window.to} {
		if template.Has(name) {
			payload[name] = date.Format(template.DateLayout)
		}
	}
	if err := library.Validate(export.Request, payload); err != nil {
		return nil, err
	}
	variables := map[string]string{}
	for _, name := range exports.Placeholders(export.Path) {
		variables[name] = strings.ReplaceAll(target, " ", "-")
	}
	plan, err := planner.Plan(export, variables, "trial", exports.Members(payload), window.now)
	if err != nil {
		return nil, err
	}
	return renderer.Open(plan.File)
}

// rendered is the content of a file, which is made when it is first read.
type rendered struct {
	ctx  context.Context
	file *rows.File
	from *io.PipeReader
}

// Read implements [io.Reader].
func (r *rendered) Read(into []byte) (int, error) {
	if r.from == nil {
		reader, writer := io.Pipe()
		r.from = reader
		go func() {
			_, err := r.file.Write(r.ctx, writer, rows.Whole, nil)
			writer.CloseWithError(err)
		}()
	}
	return r.from.Read(into)
}

// end ends the making of a file that nobody reads any more.
func (r *rendered) end() {
	if r.from != nil {
		r.from.Close()
	}
}

// places are, by event, where schema files state a step of a journey: a file and a pointer.
func places(library *schemas.Library) map[string][][2]string {
	made := map[string][][2]string{}
	for _, name := range library.Names() {
		var document any
		decoder := json.NewDecoder(bytes.NewReader(library.Source(name)))
		if decoder.Decode(&document) == nil && !strings.HasPrefix(name, "testdata/") {
			walk(document, "", func(pointer string, object map[string]any) {
				steps, _ := object["x-journey"].([]any)
				for i, each := range steps {
					step, _ := each.(map[string]any)
					if event, is := step["event"].(string); is && step["after"] != nil {
						made[sameEvent(event)] = append(made[sameEvent(event)], [2]string{name, fmt.Sprint(pointer, "/x-journey/", i)})
					}
				}
			})
		}
	}
	return made
}

// apply writes the changes of a draft into the schema files.
func (d *draft) apply(bench *amend.Bench) error {
	at := places(bench.Library())
	var members []amend.Member
	for _, change := range d.schemaChanges() {
		for _, place := range at[change.event] {
			pointer := place[1]
			if change.part != "" {
				pointer += "/" + change.part
			}
			value := fmt.Sprint(change.number)
			if change.duration {
				value = fmt.Sprintf(`"PT%dS"`, int64(change.number))
			}
			members = append(members, amend.Member{File: place[0], Pointer: pointer, Name: change.member, Value: value})
		}
	}
	members = append(members, d.attributes...)
	if len(members) == 0 {
		return nil
	}
	_, err := bench.PutAll(members)
	return err
}
