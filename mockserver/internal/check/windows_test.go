package check_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
)

// windowed are kinds of export that take a window.
var windowed = []string{"campaign.events", "transactional.events", "in-app-campaign.events", "reachability.events", "profiles.events",
	"profiles.reachability"}

// halves puts a file of thirty days into a book, and two files of its halves.
func halves(t *testing.T, kind string) *book {
	t.Helper()
	b := newBook(t)
	from, middle := noon.AddDate(0, 0, -30), noon.AddDate(0, 0, -14)
	people := int64(150)
	if slices.Contains([]string{"campaign.events", "transactional.events", "reachability.events"}, kind) {
		people = 3_000 // a row that is there twice is one of few only in a file of many
	}
	for _, window := range []struct {
		name     string
		from, to time.Time
	}{{"all", from, noon}, {"first", from, middle}, {"second", middle, noon}} {
		r := request{kind: kind, campaign: "welcome", seed: 3, profiles: people, from: window.from, to: window.to, texture: texture.Tidy}
		b.add(kind+" "+window.name, kind, render(t, r))
	}
	return b
}

// sameCampaign says that all files are of one campaign.
func sameCampaign(inputs []check.Input) []check.Input {
	for i := range inputs {
		inputs[i].Campaign = "welcome"
	}
	return inputs
}

// TestWindowsTile checks that a window and its halves hold the same rows, and that a row which is lost, or is there twice, is found.
func TestWindowsTile(t *testing.T) {
	for _, kind := range windowed {
		good := halves(t, kind)
		for _, c := range []struct {
			about string
			plant func(b *book) []*line
			files []string
		}{
			{"nothing is wrong", nil, []string{"all", "first", "second"}},
			{"only the halves", nil, []string{"first", "second"}},
			{"a row is lost in a half", func(b *book) []*line {
				rows := b.file(kind + " first").rows
				rows[len(rows)/2].remove()
				return []*line{b.file(kind + " all").rows[len(rows)/2]}
			}, []string{"all", "first", "second"}},
			{"a row is lost in the whole", func(b *book) []*line {
				b.file(kind + " all").rows[2].remove()
				return []*line{b.file(kind + " first").rows[2]}
			}, []string{"all", "first", "second"}},
			{"the end is inside, too", func(b *book) []*line {
				first, second := b.file(kind+" first"), b.file(kind+" second")
				twice := second.rows[0].copy()
				twice.sheet = first
				first.rows = append(first.rows, twice)
				return []*line{twice, second.rows[0]}
			}, []string{"first", "second"}},
			{"some rows of the first half are in the second", func(b *book) []*line {
				first, second := b.file(kind+" first"), b.file(kind+" second")
				twice := first.rows[len(first.rows)/2].copy()
				twice.sheet = second
				second.rows = slices.Insert(second.rows, 0, twice)
				return []*line{twice}
			}, []string{"first", "second"}},
		} {
			t.Run(kind+"/"+c.about, func(t *testing.T) {
				b := good.copy()
				var rows []*line
				if c.plant != nil {
					rows = c.plant(b)
				}
				inputs := slices.DeleteFunc(b.inputs(), func(i check.Input) bool {
					return !slices.ContainsFunc(c.files, func(name string) bool { return strings.HasSuffix(i.Name, " "+name) })
				})
				findings, summary := run(t, sameCampaign(inputs), check.Options{})
				must.Hold(t, !slices.Contains(outcomes(summary, check.NotCheckable), "tiling"), "tiling is not checkable")
				if rows == nil {
					clean(t, findings, "good windows")
					return
				}
				expect(t, findings, "tiling", []string{"projection"}, rows)
			})
		}
	}
}

// TestKnownWindows checks rows against the window that was asked for.
func TestKnownWindows(t *testing.T) {
	for _, kind := range windowed {
		r := request{kind: kind, campaign: "welcome", seed: 3, profiles: 200, from: noon.AddDate(0, 0, -20), to: noon.AddDate(0, 0, -2),
			texture: texture.Tidy}
		b := newBook(t)
		b.add(kind, kind, render(t, r))
		rows := b.file(kind).rows
		first, last := rows[0], rows[len(rows)-1]
		for _, c := range []struct {
			about    string
			from, to time.Time
			wrong    []*line
		}{
			{"as asked for", r.from, r.to, nil},
			{"the end is not inside", time.Time{}, last.time(), slices.DeleteFunc(slices.Clone(rows),
				func(l *line) bool { return l.time().Before(last.time()) })},
			{"the begin is inside", first.time(), time.Time{}, nil},
			{"it begins later", first.time().Add(time.Second), time.Time{},
				slices.DeleteFunc(slices.Clone(rows), func(l *line) bool { return l.time().After(first.time()) })},
		} {
			t.Run(kind+"/"+c.about, func(t *testing.T) {
				inputs := b.inputs()
				inputs[0].From, inputs[0].To = c.from, c.to
				findings, _ := run(t, inputs, check.Options{})
				if c.wrong == nil {
					clean(t, findings, "a good window")
					return
				}
				expect(t, findings, "window", nil, c.wrong)
			})
		}
	}
}

// TestSnapshotOfAnEarlierMoment checks that a snapshot is compared with what happened before its moment, and not with what came later.
func TestSnapshotOfAnEarlierMoment(t *testing.T) {
	earlier := noon.AddDate(0, 0, -20)
	var inputs []check.Input
	for _, kind := range kinds(t) {
		r := request{kind: kind, campaign: "welcome", seed: 11, profiles: 200, texture: texture.Tidy}
		if kind == "userbase" || kind == "profiles.attributes" {
			r.now = earlier
		}
		inputs = append(inputs, input(kind, render(t, r)))
	}
	for _, known := range []bool{false, true} {
		for i := range inputs {
			inputs[i].Reader.(io.Seeker).Seek(0, io.SeekStart)
			if known && (inputs[i].Name == "userbase" || inputs[i].Name == "profiles.attributes") {
				inputs[i].To = earlier
			}
		}
		findings, summary := run(t, inputs, check.Options{})
		clean(t, findings, fmt.Sprintf("moment known: %v", known))
		for _, rule := range []string{"consent", "latest", "link"} {
			must.Hold(t, slices.Contains(outcomes(summary, check.Held), rule), "moment known: %v: %s was not checked", known, rule)
		}
	}
}

// TestColumnsLeftOut checks files with fewer identifiers: what needs them is not checkable, and says so.
func TestColumnsLeftOut(t *testing.T) {
	var inputs []check.Input
	for _, kind := range kinds(t) {
		members := map[string]any{"ids": []any{"custom_id"}}
		if strings.HasPrefix(kind, "profiles.") {
			members = map[string]any{"identifiers": []any{"custom_id"}}
		}
		if kind == "profiles.attributes" {
			members["attributes"] = []any{"favourite_colour"}
		}
		inputs = append(inputs, input(kind, render(t, request{kind: kind, campaign: "welcome", seed: 2, profiles: 200, members: members})))
	}
	findings, summary := run(t, inputs, check.Options{})
	clean(t, findings, "files with custom_id alone")
	for _, rule := range []string{"installation-identifiers", "consent", "latest", "projection", "window"} {
		for _, verdict := range summary.Rules {
			if verdict.Rule == rule && (verdict.Outcome != check.NotCheckable || verdict.Why == "") {
				t.Errorf("%s: %s (%d), %q; want not checkable, and why", rule, verdict.Outcome, verdict.Checked, verdict.Why)
			}
		}
	}
}

// TestSeveralCampaigns checks files of two campaigns, named and not.
func TestSeveralCampaigns(t *testing.T) {
	make := func(named bool) (inputs []check.Input) {
		for _, campaign := range []string{"welcome", "farewell"} {
			for _, kind := range []string{"campaign.ids", "campaign.events"} {
				made := input(kind+" "+campaign, render(t, request{kind: kind, campaign: campaign, seed: 2, profiles: 800}))
				if named {
					made.Campaign = campaign
				}
				inputs = append(inputs, made)
			}
		}
		return inputs
	}
	findings, summary := run(t, make(true), check.Options{})
	clean(t, findings, "named campaigns")
	must.Hold(t, slices.Contains(outcomes(summary, check.Held), "projection"), "the recipients of named campaigns were not checked")
	findings, summary = run(t, make(false), check.Options{})
	clean(t, findings, "unnamed campaigns")
	for _, verdict := range summary.Rules {
		if verdict.Rule == "projection" && !strings.Contains(verdict.Why, "--campaign") {
			t.Errorf("projection of unnamed campaigns: %s, %q", verdict.Outcome, verdict.Why)
		}
	}
}

// TestFilesOfOneCampaignWithoutItsName: what another file has as well is no repetition to a file that may be of another campaign. Its
// messages are told whole, whichever of their events the other file has.
func TestFilesOfOneCampaignWithoutItsName(t *testing.T) {
	const kind = "campaign.events"
	for hours := 4 * 24; hours < 7*24; hours += testlevel.Count(12, 5, 1) { // from the latest sending on
		var inputs []check.Input
		for _, to := range []time.Time{noon.Add(-time.Duration(hours) * time.Hour), noon} {
			r := request{kind: kind, campaign: "welcome", seed: 2, profiles: 400, from: noon.AddDate(0, 0, -60), to: to}
			made := input("until "+to.Format(time.RFC3339Nano), render(t, r))
			made.From, made.To = r.from, r.to
			inputs = append(inputs, made)
		}
		findings, _ := run(t, inputs, check.Options{Rules: []string{"journey"}})
		clean(t, findings, fmt.Sprintf("windows that share their beginning, of which one is %d hours longer", hours))
	}
}

// TestKindsAreRecognised gives every kind under a name that says nothing, compressed and not, byte by byte.
func TestKindsAreRecognised(t *testing.T) {
	same := map[string]string{"transactional.ids": "campaign.ids"} // they look alike
	for _, kind := range kinds(t) {
		data := render(t, request{kind: kind, campaign: "welcome", seed: 2, profiles: 20})
		var packed bytes.Buffer
		writer := gzip.NewWriter(&packed)
		writer.Write(data)
		writer.Close()
		for about, reader := range map[string]io.Reader{
			"plain": bytes.NewReader(data), "gzip": &packed, "byte by byte": iotest.OneByteReader(bytes.NewReader(data)),
		} {
			_, summary := run(t, []check.Input{{Name: "x", Reader: reader}}, check.Options{Rules: []string{"schema"}})
			want := kind
			if other := same[kind]; other != "" {
				want = other
			}
			if got := summary.Files[0].Kind; got != want || summary.Violations() > 0 {
				t.Errorf("%s, %s: taken for %s, %d violations", kind, about, got, summary.Violations())
			}
		}
	}
	_, summary := run(t, []check.Input{
		input("a/transactional.ids.csv", render(t, request{kind: "transactional.ids", campaign: "x", profiles: 100})),
	}, check.Options{})
	must.Equal(t, summary.Files[0].Kind, "transactional.ids", "the kind by the name")
	_, summary = run(t, []check.Input{
		input("ids", render(t, request{kind: "transactional.ids", campaign: "x", profiles: 100})),
		input("events", render(t, request{kind: "transactional.events", campaign: "x", profiles: 100})),
	}, check.Options{})
	must.Equal(t, summary.Files[0].Kind, "transactional.ids", "the kind by the events file")
}

// TestOddFiles checks files that are hardly files, and readers that fail.
func TestOddFiles(t *testing.T) {
	const some = -1
	for _, c := range []struct {
		about, content, kind string
		want                 string // of the error
		violations           int64
	}{
		{"an empty array", "[]", "", "", 0},
		{"only a header", "install_id;event_type\n", "", "", 0},
		{"nothing", "", "", "it is empty", 0},
		{"nothing, of a known kind", "", "userbase", "", 1},
		{"a picture", "\x89PNG\r\n\x1a\n\x00\x00", "", "the file is a picture", 0},
		{"other JSON", `{"a":1}`, "", "fits no export", 0},
		{"other CSV", "a,b\n1,2\n", "", "fits no export", 0},
		{"an unknown kind", "[]", "userbas", "there is no export userbas", 0},
		{"cut gzip", "\x1f\x8b\x08\x00", "", "gzip", 0},
		{"cut JSON", `[{"event":{"channel":"SMS","id":"1"`, "", "", 1},
		{"a wrong kind", `[]`, "userbase", "", some},
	} {
		made := input("file", []byte(c.content))
		made.Kind = c.kind
		summary, err := check.Files(t.Context(), library(t), []check.Input{made}, check.Options{Directory: t.TempDir()},
			func(check.Finding) bool { return true })
		switch {
		case c.want == "" && (err != nil || summary.Violations() != c.violations && (c.violations != some || summary.Violations() == 0)):
			t.Errorf("%s: %d violations, %v", c.about, summary.Violations(), err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", c.about, err, c.want)
		}
	}
	broken := errors.New("broken")
	_, err := check.Files(t.Context(), library(t), []check.Input{{Name: "x", Reader: iotest.ErrReader(broken)}}, check.Options{}, nil)
	must.Hold(t, errors.Is(err, broken), "a reader that fails: %v", err)
}

// TestAMessageWithoutItsBeginning checks a click whose open lies before the file, and another open of that e-mail after it.
func TestAMessageWithoutItsBeginning(t *testing.T) {
	const kind = "profiles.events"
	b := newBook(t)
	b.add(kind, kind, render(t, request{kind: kind, seed: 5, profiles: 1_000, texture: texture.Tidy}))
	click := b.find(kind, func(l *line) bool {
		message := b.all(kind, "sent_id", l.get("sent_id"))
		return l.get("event_type") == "email_click" && slices.ContainsFunc(message, eventIs("email_open")) &&
			slices.ContainsFunc(message, eventIs("email_sent"))
	})
	opened := b.find(kind, func(l *line) bool {
		return l.get("event_type") == "email_open" && l.get("sent_id") == click.get("sent_id")
	})
	sent := b.find(kind, func(l *line) bool {
		return l.get("event_type") == "email_sent" && l.get("sent_id") == click.get("sent_id")
	})
	opened.at(click.time().AddDate(0, 0, 1))
	b.file(kind).rows = []*line{click, opened}
	findings, _ := run(t, b.inputs(), check.Options{})
	clean(t, findings, "a click, and an open that comes again")
	b.file(kind).rows = []*line{sent, click, opened}
	findings, _ = run(t, b.inputs(), check.Options{})
	expect(t, findings, "journey", nil, []*line{click, opened})
}
