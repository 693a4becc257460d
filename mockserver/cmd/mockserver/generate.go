package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/machine"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/settings"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/arrival"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/demo"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/asked"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

const generateHelp = `usage: mockserver generate --kind KIND [flags]

Makes one export file without a server: the same bytes as a server for the same seed,
population, instant and request. Without --events, --ids and the like, everything that
may be requested is included.

--shard 2/8 generates the second of eight shards, on any machine and in any order;
"mockserver merge" puts them together. An index that counts from 0 is written --shard 1+1/8.
Progress is shown on a terminal, and the size at the end. A file appears under its name
when it is complete.
`

// generateFlags are the flags of generate.
type generateFlags struct {
	mockserver.Options
	world                                         *settings.Block
	schemas                                       files.Overlays
	kind, from, to, out, now                      string
	events, ids, channels, attributes, identifers string
	segment, token, apiKey, data                  string
	shard                                         rows.Shard
	quiet                                         bool
	rows                                          int64
	given                                         map[string]bool // names of the flags on the command line
}

func generateCommand(t terminal) *cobra.Command {
	f := generateFlags{given: map[string]bool{}}
	command := newCommand("generate --kind KIND [flags]", "make one export file without a server", generateHelp)
	f.define(command.Flags())
	command.PreRunE = func(command *cobra.Command, _ []string) error {
		command.Flags().Visit(func(set *pflag.Flag) { f.given[set.Name] = true })
		if err := errors.Join(readWorld(command, f.world, &f.Options), f.check()); err != nil {
			return err
		}
		if only, _ := command.Flags().GetBool("print-config"); !only || f.kind == "" {
			return nil
		}
		library, err := f.schemas.Library()
		if err != nil {
			return err
		}
		export, err := exportOf(library, f.kind)
		if err == nil {
			_, err = plan(library, export, f, t.now())
		}
		return err
	}
	command.RunE = func(command *cobra.Command, _ []string) error {
		if f.kind == "" {
			return usage.Errorf("--kind is missing; it names the export, such as userbase or campaign.events")
		}
		return interrupted(command.Context(), generate(command.Context(), f, t), "nothing was written")
	}
	return command
}

func (f *generateFlags) define(flags *pflag.FlagSet) {
	flags.StringVar(&f.kind, "kind", "", "generate a file of `KIND`, such as userbase, campaign.events or profiles.attributes (required)")
	flags.StringVar(&f.from, "from", "", "start the window at `DATE`, in the form that a request has (default seven days before --now)")
	flags.StringVar(&f.to, "to", "now", "end the window before `DATE`, in the form that a request has, where now is --now")
	flags.Int64Var(&f.rows, "rows", 0, "generate at most `N` rows (default all rows there are)")
	flags.StringVar(&f.out, "out", "-", "write to `FILE`; - is standard output")
	f.world = defineWorld(flags, &f.Options)
	settings.RepeatedFunc(flags, "schemas", files.OverlaysUsage, f.schemas.Add)
	flags.StringVar(&f.data, "data", "", dataUsage)
	flags.StringVar(&f.DataMode, "data-mode", "", dataModeUsage)
	flags.StringVar(&f.now, "now", "", "take `DATE` for the present (default the real time)")
	flags.StringVar(&f.events, "events", "", "include the events in `LIST`, separated by commas (default all that may be requested)")
	flags.StringVar(&f.ids, "ids", "", "include the identifier columns in `LIST`, separated by commas (default all columns)")
	flags.StringVar(&f.channels, "channels", "", "include the channels in `LIST`, separated by commas (default all channels)")
	flags.StringVar(&f.attributes, "attributes", "", "include the attributes in `LIST`; custom ones must be named (default all native ones)")
	flags.StringVar(&f.identifers, "identifiers", "", "include the identifiers in `LIST`, separated by commas (default all identifiers)")
	flags.StringVar(&f.segment, "segment", "", "keep only profiles in the segment `CODE` (default all profiles)")
	flags.StringVar(&f.token, "token", "demo", "use `TOKEN` as the campaign token or transactional group")
	flags.StringVar(&f.apiKey, "api-key", demo.LiveKey, "use `KEY` as the application key in rows that have one")
	f.shard = rows.Whole
	settings.Func(flags, "shard",
		"generate shard `I/N` of the file, which mockserver merge puts together with others (default the whole file)", f.setShard)
	settings.AtLeast(flags, "rows", 0)
	settings.OneOf(flags, "data-mode", "", "mixed", "only")
	flags.BoolVar(&f.quiet, "quiet", false, "do not report progress and size, which otherwise go to standard error")
}

// setShard reads the flag --shard.
func (f *generateFlags) setShard(text string) (err error) {
	f.shard, err = parseShard(text)
	return err
}

// check refuses values that no flag can have alone or together with the others.
func (f *generateFlags) check() error {
	for flag, segment := range map[string]string{"api-key": f.apiKey, "token": f.token} {
		if fault := exports.SegmentFault(segment); fault != "" {
			return usage.Errorf("--%s %q %s; it is a segment of a path", flag, segment, fault)
		}
	}
	return misuse(f.Check())
}

// generate makes one file.
func generate(ctx context.Context, f generateFlags, t terminal) error {
	percent := 25 // writing leaves next to no garbage behind: the schemas do
	if f.data != "" {
		percent = 50 // reading rows leaves much behind
		defer machine.WatchHeap(t.environment)()
	}
	defer machine.Collect(t.environment, percent)()
	library, err := f.schemas.Library()
	if err != nil {
		return err
	}
	export, err := exportOf(library, f.kind)
	if err != nil {
		return err
	}
	spec, err := plan(library, export, f, t.now())
	if err != nil {
		return err
	}
	renderer := rows.NewRenderer(library)
	if len(f.schemas) > 0 {
		if err := asked.Check(library); err != nil {
			return f.schemas.Fault(err)
		}
	}
	done, err := f.useData(ctx, library, renderer, &spec, t)
	defer done()
	if err != nil {
		return err
	}
	if f.given["rows"] {
		spec.MaxRows = &f.rows
	}
	file, err := renderer.Open(spec)
	if err != nil {
		return f.schemas.Fault(err)
	}
	meter := newMeter(f, t)
	err = writeOut(ctx, f.out, func(out io.Writer) error {
		_, err := file.Write(ctx, out, f.shard, meter.show)
		return err
	}, t)
	meter.end(err)
	return err
}

// exportOf finds an export by its kind.
func exportOf(library *schemas.Library, kind string) (schemas.Export, error) {
	var kinds []string
	for _, export := range library.Exports() {
		if export.Kind == kind {
			return export, nil
		}
		kinds = append(kinds, export.Kind)
	}
	return schemas.Export{}, usage.Errorf("--kind %q is not known%s; the kinds are %s", kind, usage.Suggestion(kind, kinds),
		strings.Join(kinds, ", "))
}

// plan builds the request that the flags describe, validates it as the server would, and plans its file.
func plan(library *schemas.Library, export schemas.Export, f generateFlags, now time.Time) (exports.File, error) {
	if f.now != "" {
		parsed, err := exports.ParseDate(f.now, now)
		if err != nil {
			return exports.File{}, usage.Errorf("--now: %v", err)
		}
		now = parsed
	}
	template := exports.TemplateOf(library, export)
	if err := f.checkMembers(template, export.Kind); err != nil {
		return exports.File{}, err
	}
	request := f.request(template, now)
	if err := library.Validate(export.Request, request); err != nil {
		return exports.File{}, usage.Errorf("%v", err)
	}
	planner := exports.Planner{Seed: f.Seed, Profiles: f.Profiles, Settings: f.World}
	if f.Arrival != "" {
		planner.Arrival, _ = arrival.Parse(f.Arrival) // it was checked when it was read
	}
	variables := map[string]string{}
	for _, name := range exports.Placeholders(export.Path) {
		variables[name] = f.token
	}
	if err := rows.CheckSettings(library, planner.Settings); err != nil {
		return exports.File{}, usage.Errorf("--world %v", err)
	}
	plan, err := planner.Plan(export, variables, f.apiKey, exports.Members(request), now.UTC())
	if err != nil {
		return exports.File{}, usage.Errorf("%v", err)
	}
	return plan.File, nil
}

// checkMembers refuses flags for members that the payload does not have.
func (f generateFlags) checkMembers(template exports.Template, kind string) error {
	var refused string
	var allowed []string
	for _, name := range []string{"from", "to", "events", "ids", "channels", "attributes", "identifiers", "segment"} {
		member := name
		if name == "segment" {
			member = "filter"
		}
		switch {
		case template.Has(boundOf(template, member)):
			allowed = append(allowed, "--"+name)
		case f.given[name] && refused == "":
			refused = fmt.Sprintf("--%s is not for %s, whose request has no member %q", name, kind, member)
		}
	}
	if refused != "" {
		return usage.Errorf("%s; allowed are %s", refused, strings.Join(allowed, ", "))
	}
	return nil
}

// request is the payload that the flags describe: the members given as flags, and for those not given whatever the request schema allows.
func (f generateFlags) request(template exports.Template, now time.Time) map[string]any {
	request := template.Everything()
	template.PutWindow(request, now.AddDate(0, 0, -7), now, now)
	for name, date := range map[string]string{"from": f.from, "to": f.to} {
		if f.given[name] {
			template.Put(request, boundOf(template, name), date)
		}
	}
	for name, list := range map[string]string{
		"events": f.events, "ids": f.ids, "channels": f.channels, "attributes": f.attributes, "identifiers": f.identifers,
	} {
		if f.given[name] {
			template.Put(request, name, listOf(list))
		}
	}
	if f.given["segment"] {
		template.Put(request, "segment", f.segment)
	}
	return request
}

// boundOf is the role of a bound of the window in a request: a last hour or day ends it too, and one date may be all of it.
func boundOf(template exports.Template, name string) string {
	if other := map[string]string{"from": "span", "to": "through"}[name]; template.Has(other) {
		return other
	}
	return name
}

// listOf splits a list at its commas.
func listOf(text string) []any {
	var list []any
	for _, item := range strings.Split(text, ",") {
		if item = strings.TrimSpace(item); item != "" {
			list = append(list, item)
		}
	}
	return list
}
