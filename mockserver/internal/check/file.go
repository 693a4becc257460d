package check

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check/rules"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/extsort"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/filetype"
)

// file is one input and what is known of it once it was read.
type file struct {
	input      Input
	index      int32
	candidates []schemas.Export // what it may be, if its content leaves that open
	export     schemas.Export
	rows       int64
	known      sourceSet        // the sources that its rows have
	types      map[string]int64 // rows by event type or channel, behind the application key
	dates
	// stream names the export that its events are a part of, as far as is known; ambiguous says that other files
	// of that name may be of another campaign.
	stream      string
	ambiguous   bool
	overlapping []*file // that share a stream and time with it
}

// continues reports whether two files are different parts of one export.
func (f *file) continues(other *file) bool {
	return f.input.Export != "" && f.input.Export == other.input.Export && f.export.Kind == other.export.Kind &&
		f.input.Part != other.input.Part
}

// dates are what is known of the time of the rows of a file.
type dates struct {
	dated       bool    // there is an event with a date
	first, last extreme // the earliest and the latest event
	before      extreme // the event before
	// latestDates are the latest dates of the rows of a snapshot, the latest first.
	latestDates []moment
}

type extreme struct {
	time moment
	place
}

// maxTypes bounds how many event types are counted in a file: schemas have fewer.
const maxTypes = 256

// noExport says that no export has this kind, and which kinds there are.
func (k *kinds) noExport(kind string) string {
	kinds := make([]string, len(k.exports))
	for i, export := range k.exports {
		kinds[i] = export.Kind
	}
	message := "there is no export " + kind
	if likely := schemas.Likely(kind, kinds); likely != "" {
		message += ", did you mean " + likely + "?"
	}
	return message + "; the kinds are " + strings.Join(kinds, ", ")
}

// read reads one file: rules about single rows are checked on the way, and the rest is sorted for later.
func (e *engine) read(input Input) error {
	f := &file{input: input, index: int32(len(e.files)), types: map[string]int64{}}
	content, err := filetype.Open(input.Reader)
	var refused *filetype.Error
	if errors.As(err, &refused) {
		return &KindError{input.Name, refused.Error()}
	}
	if err != nil {
		return err
	}
	f.candidates, err = e.candidates(e.library, input.Name, input.Kind, func() ([]byte, error) {
		begin, err := content.Peek(filetype.PeekBytes)
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return begin, err
	})
	if err != nil {
		return err
	}
	e.files = append(e.files, f)
	if len(f.candidates) == 0 {
		return nil // an empty array
	}
	f.export = f.candidates[0]
	if input.Moment && !slices.ContainsFunc(f.candidates, func(c schemas.Export) bool { return vocabulary.IsSnapshot(c.View) }) {
		return &KindError{input.Name,
			"it is of " + f.export.Kind +
				", which has a window and shows no moment: write the window that was requested, --window FILE=FROM/TO; one of the two may be empty"}
	}
	rows := reader{layout: e.layouts[f.export.Kind]}
	summary, err := e.library.ReadFile(f.export.Output, content, func(record schemas.Record) error {
		if record.Row%1024 == 0 && e.ctx.Err() != nil {
			return e.ctx.Err()
		}
		if !rows.read(record) {
			return nil
		}
		rows.row.file = f.index
		return errors.Join(e.add(f, &rows.row), e.stopped)
	}, func(fault schemas.Fault) bool {
		at := place{f.index, fault.Row, int64(fault.Line)}
		e.assert(rules.Schema, false, at, nil, "%s: %s (%s)", cmp.Or(fault.Pointer, "/"), fault.Message, fault.Keyword)
		return e.stopped == nil && e.ctx.Err() == nil
	})
	f.rows = summary.Rows
	e.tallies[rules.Schema].checked += summary.Rows
	if err == nil {
		err = e.ctx.Err()
	}
	if err == nil && e.stopped == nil {
		e.checkLookback(f)
	}
	return errors.Join(err, e.stopped)
}

// add checks one row alone and sorts it for the rules about several rows.
func (e *engine) add(f *file, r *row) error {
	f.known |= r.known
	e.checkDates(f, r)
	switch {
	case vocabulary.IsSnapshot(f.export.View):
		r.class = snapshotRow
	case f.export.View == vocabulary.ViewInstallationRecipients:
		r.class = untimedRow
	default:
		if !r.hasTime {
			return nil // the schema says what is wrong with it
		}
		r.class = eventRow
	}
	if kind := r.kind(); kind != "" && len(f.types) < maxTypes {
		f.types[kind]++
	}
	switch f.export.View {
	case vocabulary.ViewProfiles:
		e.checkSnapshotDates(r)
		e.checkPlaces(r)
		return errors.Join(e.collectProfile(r), e.collectInstallations(r))
	case vocabulary.ViewProfileMessages:
		e.checkPlaces(r)
		return errors.Join(e.collectSending(r), e.collectProfile(r))
	case vocabulary.ViewInstallationMessages:
		return errors.Join(e.collectSending(r), e.collect(e.installations, r.installationKey(), r, installationValues))
	case vocabulary.ViewProfileChanges:
		err := e.collectProfile(r)
		if id := r.value(installationID); id != "" {
			err = errors.Join(err, e.collect(e.installations, "i"+id, r, installationValues))
		}
		return err
	case vocabulary.ViewInstallations:
		e.checkSnapshotDates(r)
	}
	return e.collect(e.installations, r.installationKey(), r, installationValues)
}

// changeOfFlags stands for the type of the rows that have none.
const changeOfFlags = "reachability"

// kind is the type of an event or the channel of a change; rows of different application keys differ in kind.
func (r *row) kind() string {
	if r.knows(apiKey) {
		return r.value(apiKey) + "\x00" + r.typeOrChannel()
	}
	return r.typeOrChannel()
}

func (r *row) typeOrChannel() string {
	switch {
	case r.values[eventType] != "":
		return r.values[eventType]
	case r.values[eventChannel] != "":
		return r.values[eventChannel]
	case r.class == eventRow:
		return changeOfFlags
	}
	return ""
}

// installationKey identifies the installation of a row: its identifier, or the best substitute in the row.
func (r *row) installationKey() string {
	switch {
	case r.values[installationID] != "":
		return "i" + r.values[installationID]
	case r.values[customID] != "":
		return "c" + r.values[customID]
	}
	return "a" + r.values[advertisingID]
}

// collectProfile sorts a row by its profile or, in files without one, by its custom identifier. One about nobody contradicts nobody.
func (e *engine) collectProfile(r *row) error {
	key := r.value(profileID)
	if custom := r.value(customID); key == "" && custom != "" {
		key = "customer " + custom
	}
	if key == "" {
		return nil
	}
	return e.collect(e.profiles, key, r, profileValues)
}

// collectInstallations sorts what a profile says of each of its installations.
func (e *engine) collectInstallations(r *row) error {
	about := row{place: r.place, class: r.class}
	var err error
	put := func(item subscription) {
		about.known, about.values = 0, [sourceCount]string{}
		about.set(installationID, item.installation)
		about.set(profileID, r.value(profileID))
		if r.value(customID) != "" {
			about.set(customID, r.value(customID))
		}
		if item.optIn != "" {
			about.set(isOptIn, item.optIn)
		}
		if item.platform != "" {
			about.set(platform, item.platform)
		}
		err = errors.Join(err, e.collect(e.installations, "i"+item.installation, &about, installationValues))
	}
	for _, item := range r.subscriptions {
		put(item)
	}
	for _, id := range r.listed {
		if !slices.ContainsFunc(r.subscriptions, func(item subscription) bool { return item.installation == id }) {
			put(subscription{installation: id})
		}
	}
	return err
}

// collect sorts a row under a key.
func (e *engine) collect(into *extsort.Sorter, key string, r *row, wanted sourceSet) error {
	e.record = appendRow(e.record[:0], key, r, wanted)
	return into.Add(e.record)
}
