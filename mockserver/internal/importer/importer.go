package importer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/extsort"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pseudonym"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/filetype"
)

// Input is one file.
type Input struct {
	// Name is what messages call it. Where its content fits several kinds of export, a kind in the name decides.
	Name string
	// Reader gives its content, gzip or not. It is read once.
	Reader io.Reader
	// Kind is the kind of export, such as campaign.events; "" to tell it from the content.
	Kind string
	// Campaign is the token of the campaign, or the transactional group, whose rows the file holds: the
	// files themselves do not say it. "" stands for the name of the file up to its first dot.
	Campaign string
}

// Options change how files are read.
type Options struct {
	// Key replaces values by pseudonyms before anything is kept; nil keeps them.
	Key *pseudonym.Key
	// Coarse leaves days, minutes and rare values out of what is kept beside the pseudonyms.
	Coarse bool
	// Counter is told of all rows; nil: nobody counts.
	Counter Counter
	// Directory is where temporary files are made; "" stands for that of the system.
	Directory string
}

// Counter counts the rows of each person. A row is valid until Row returns.
type Counter interface {
	Begin() // the rows of another person
	Row(kind string, row []byte) error
}

// FaultsError says that rows do not fit the schema of their export. Nothing is imported then.
type FaultsError struct {
	Faults []string // the first of them, with file and line
	More   int64    // how many there are besides
	// Differs tells whether some rows can be read, and are not what the schemas say; otherwise files are damaged.
	Differs bool
}

// Error gives the faults a line each.
func (e *FaultsError) Error() string {
	text := "files that are damaged, so that no schema file would help; fetch them again:\n  "
	if e.Differs {
		text = differs
	}
	text += strings.Join(e.Faults, "\n  ")
	if e.More > 0 {
		text += fmt.Sprintf("\n  and %d more", e.More)
	}
	return text
}

const differs = "rows that do not fit the schemas; describe what the service does differently in an overlay (--schemas), which " +
	"`mockserver proxy --suggest-overlay` writes:\n  "

// mostFaults is how many faults are listed.
const mostFaults = 20

// File tells what was found in a file.
type File struct {
	Name string
	// Kind is the kind of export; "" for an empty array, which may be of several.
	Kind string
	// Campaign is the campaign or group under which its events are found; "" where the kind has none.
	Campaign string
	Rows     int64
	// Nameless counts the rows without any identifier. They are left out.
	Nameless int64
	// Unknown counts, by name, the rows with columns or members that a dataset has no place for. They are left out.
	Unknown map[string]int64
}

// Summary tells what was imported.
type Summary struct {
	Files                           []File
	Profiles, Installations, Events int64
	// Columns and Alike tell what is left of people; both are empty without a key.
	Columns []Column
	Alike   []Alike
}

// Files reads export files and calls put with the rows of a dataset, those of one person together: kind is profiles,
// installations or events, and row valid until put returns.
func Files(ctx context.Context, library *schemas.Library, inputs []Input, options Options,
	put func(kind string, row []byte) error) (summary Summary, err error) {
	const memory = 64 << 20 // that the sorting of rows may take
	i := &importer{
		ctx: ctx, library: library, mask: newMask(library, options.Key, options.Coarse),
		byInstallation: extsort.New(options.Directory, memory/2), byPerson: extsort.New(options.Directory, memory/2),
		alike: alike{sorter: extsort.New(options.Directory, memory/8)},
		put:   put, counter: options.Counter, told: newTold(),
	}
	defer i.byInstallation.Close()
	defer i.byPerson.Close()
	defer i.alike.sorter.Close()
	for at, input := range inputs {
		if err := i.read(at, input); err != nil {
			return i.summary, fmt.Errorf("%s: %w", input.Name, err)
		}
	}
	if len(i.faults.Faults) > 0 {
		return i.summary, &i.faults
	}
	if err := errors.Join(i.findPeople(), i.writePeople()); err != nil || options.Key == nil {
		return i.summary, err
	}
	for at := range i.summary.Files {
		file := &i.summary.Files[at]
		file.Campaign, _ = i.mask.isShared(file.Campaign)
	}
	i.summary.Columns = i.mask.columns()
	i.summary.Alike, err = i.alike.groups()
	return i.summary, err
}

type importer struct {
	ctx     context.Context
	library *schemas.Library
	mask    *mask
	alike   alike
	summary Summary
	faults  FaultsError
	latest  string // the latest date of an event
	// reasonsTold says that a file gives the reasons of changes.
	reasonsTold bool
	// peopleListed says that a file lists the profiles: installations that none of them has belong to nobody.
	peopleListed bool
	loose        loose
	put          func(kind string, row []byte) error
	counter      Counter
	told         *told

	byInstallation, byPerson *extsort.Sorter
}

// read reads one file.
func (i *importer) read(at int, input Input) error {
	content, err := filetype.Open(input.Reader)
	if err != nil {
		return err
	}
	export, known, err := i.exportOf(input, content)
	if err != nil {
		return err
	}
	file := File{Name: input.Name, Unknown: map[string]int64{}}
	if !known {
		i.summary.Files = append(i.summary.Files, file)
		return nil
	}
	file.Kind = export.Kind
	i.peopleListed = i.peopleListed || export.View == vocabulary.ViewProfiles
	if export.Target != "" {
		if file.Campaign = input.Campaign; file.Campaign == "" {
			file.Campaign, _, _ = strings.Cut(path.Base(strings.ReplaceAll(input.Name, `\`, "/")), ".")
		}
	}
	campaign := file.Campaign
	content.Marked = false // which is no matter here
	if sentence := i.library.Unlike(export, content); sentence != "" {
		return errors.New(sentence)
	}
	schema := i.library.Schema(export.Output)
	if export.Format == "json" {
		schema = schema.Items2020
	}
	r := reader{layout: layoutOf([]*jsonschema.Schema{schema}, nil), mask: i.mask, unknown: file.Unknown}
	of := source{export: export, file: at}
	summary, err := i.library.ReadFile(export.Output, content, func(row schemas.Record) error {
		if row.Row%1024 == 0 && i.ctx.Err() != nil {
			return i.ctx.Err()
		}
		if len(row.Cells) != len(row.Header) {
			return nil // which is a fault, and said as such
		}
		found, err := r.read(row)
		file.Campaign = i.mask.text(export.Target, campaign)
		of.campaign = file.Campaign
		i.mask.end()
		if err != nil {
			i.faults.Differs = true
			i.fault(fmt.Sprintf("%s:%d: %v", input.Name, row.Line, err))
			return nil
		}
		of.row = row.Row
		if !found.identify(&of) {
			file.Nameless++
			return nil
		}
		return i.add(&of, found)
	}, func(fault schemas.Fault) bool {
		message := fault.Message
		if i.mask.key != nil && !saysNoValue(fault) {
			message = "it breaks the rule " + fault.Keyword // the message may quote a value
		}
		i.faults.Differs = i.faults.Differs || !slices.Contains([]string{"csv", "json", "gzip"}, fault.Keyword) ||
			fault.Row == 0 && fault.Line == 1
		text := fmt.Sprintf("%s:%d:%d: ", input.Name, fault.Line, fault.Column)
		if fault.Pointer != "" {
			text += fault.Pointer + ": "
		}
		i.fault(text + message)
		return true
	})
	file.Rows = summary.Rows
	i.summary.Files = append(i.summary.Files, file)
	return err
}

// saysNoValue reports whether a message quotes no value: it is about names, or about the file as a whole.
func saysNoValue(fault schemas.Fault) bool {
	return slices.Contains([]string{"additionalProperties", "csv", "gzip"}, fault.Keyword) ||
		fault.Keyword == "json" && !strings.ContainsAny(fault.Message, "'\"`\\")
}

func (i *importer) fault(text string) {
	if len(i.faults.Faults) < mostFaults {
		i.faults.Faults = append(i.faults.Faults, text)
		return
	}
	i.faults.More++
}

// exportOf is the export that a file is of; not known: it is an empty array, which may be of several.
func (i *importer) exportOf(input Input, content *filetype.File) (export schemas.Export, known bool, err error) {
	begin, err := content.Peek(filetype.PeekBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return export, false, err
	}
	return check.ExportOf(i.library, input.Name, input.Kind, begin)
}

// source is where a record comes from.
type source struct {
	export   schemas.Export
	campaign string
	file     int
	row      int64
}

// add divides a record into what it says of a person, of installations and of an event.
func (i *importer) add(of *source, r *record) error {
	who := identity{profile: r.members.text(profileID), custom: r.members.text(customID)}
	if vocabulary.IsSnapshot(of.export.View) {
		if r.withoutCustom && of.export.View == vocabulary.ViewInstallations {
			r.members[hasCustomID] = json.RawMessage("false")
		}
		return i.addPeople(of, r, who, strong)
	}
	event, person := members{}, &record{members: members{}}
	for name, value := range r.members {
		switch {
		case ofEvents[name]:
			event[name] = value
		case ofInstallations[name], ofPeople[name]:
			person.members[name] = value
		default:
			event[name] = value
		}
	}
	seen := i.divideState(of, r, event, person.members)
	if err := i.addPeople(of, person, who, weak); err != nil {
		return err
	}
	switch event.text(eventType) {
	case "":
		event.putText(eventType, "reachability")
	case "push_opened": // the two interfaces have a name each
		event.putText(eventType, "push_open")
	}
	if date := event.text(eventDate); date != "" && !strings.HasSuffix(date, "Z") {
		event.putText(eventDate, date+"Z")
	}
	i.latest = max(i.latest, event.text(eventDate))
	i.told.count(of.file, of.export.Kind+" "+of.campaign, event.text(eventType), event.text(eventDate))
	event.putText(of.export.Target, of.campaign)
	event.putText(installID, r.members.text(installID))
	return i.keep(who, event.text(installID), fragment{About: aboutEvent, Platform: r.members.text(platform), Seen: seen, Members: event}, of)
}

// identify finds out whom a row is about; false: it does not say. Files may have been requested with few identifiers: an
// advertising identifier stands for an installation then, and each row of a userbase for one.
func (r *record) identify(of *source) bool {
	if r.members.text(installID) != "" {
		return true
	}
	if custom := r.members.text(customID); custom != "" {
		if of.export.View == vocabulary.ViewInstallations {
			r.members.putText(installID, fmt.Sprint(custom, "-", of.row))
		}
		return true
	}
	advertising := r.members.text("advertising_id")
	if r.members.text(profileID) == "" && strings.Trim(advertising, "0-") != "" {
		r.members.putText(installID, advertising)
		return true
	}
	return r.members.text(profileID) != ""
}

// divideState takes out of an event what it only shows and does not change: what was so then is seen, or, of a
// person, holds from the beginning unless something else tells.
func (i *importer) divideState(of *source, r *record, event, person members) (seen members) {
	seen = members{}
	switch of.export.View {
	case vocabulary.ViewInstallationMessages:
		seen[hasCustomID] = flag(!r.withoutCustom)
	case vocabulary.ViewProfileMessages:
		if shown := event[isOptIn]; shown != nil {
			seen[isOptIn] = shown
			delete(event, isOptIn)
		}
	case vocabulary.ViewProfileChanges:
		i.reasonsTold = true
		reasons := string(event["reasons"])
		for name, change := range map[string]string{isOptIn: "_PUSH", "email_marketing": "_EMAIL_MARKETING", "sms_marketing": "_SMS_MARKETING"} {
			switch shown := event[name]; {
			case shown == nil:
			case !strings.Contains(reasons, strings.TrimPrefix(change, "_")):
				if delete(event, name); name == isOptIn {
					seen[name] = shown
				} else {
					person[name] = shown
				}
			case name != isOptIn && person[name] == nil: // before, it was otherwise
				person[name] = quoted(map[bool]string{true: "subscribed", false: "unsubscribed"}[strings.Contains(reasons, "UNSUBSCRIBED")])
			}
		}
	}
	return seen
}

func flag(is bool) json.RawMessage { return json.RawMessage(strconv.FormatBool(is)) }

// addPeople keeps what a record says of a person and of installations.
func (i *importer) addPeople(of *source, r *record, who identity, weight int) error {
	person, installation := members{}, members{}
	for name, value := range r.members {
		if ofPeople[name] {
			person[name] = value
		}
		if ofInstallations[name] {
			installation[name] = value
		}
	}
	if len(r.custom) > 0 {
		text, err := json.Marshal(r.custom)
		if err != nil {
			return err
		}
		person[attributes] = text
	}
	if who.profile != "" { // only files of profiles tell of one
		if err := i.keep(who, "", fragment{About: aboutPerson, Weight: weight, Members: person}, of); err != nil {
			return err
		}
	}
	for nth, each := range append(r.installations, installation) {
		id := each.text(installID)
		if id == "" {
			continue
		}
		if err := i.keep(who, id, fragment{About: aboutInstallation, Weight: weight, Nth: nth, Members: each}, of); err != nil {
			return err
		}
	}
	return nil
}
