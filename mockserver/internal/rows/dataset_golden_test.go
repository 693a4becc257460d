package rows_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/memory"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// TestGoldenDigestsOfDatasets holds the bytes of all kinds over a dataset that was loaded in several goes, with a reset among them, at
// several generations: how rows are kept must not show in a file. The generations are those of a log whose loads are small.
func TestGoldenDigestsOfDatasets(t *testing.T) {
	library := embedded(t)
	log, generations, refusals := goldenLog(t, library)
	renderer := rows.NewRenderer(library)
	renderer.UseDataset(func(generation int64) (*dataset.Snapshot, error) { return log.At(context.Background(), generation) })
	found := golden{WorldVersion: world.Version, SHA256: map[string]string{"refusals": digest([]byte(refusals))}}
	all := library.Exports()
	some := all
	if !*update {
		some = testlevel.Some(t, testlevel.Count(2, len(all), len(all)), all)
	}
	for _, export := range some {
		for i, generation := range generations {
			for _, only := range []bool{false, true} {
				for variant, change := range goldenVariants() {
					if i%2 == 0 && variant != "whole" {
						continue
					}
					spec := wholeFile(library, export)
					spec.DataGeneration, spec.DataOnly = generation, only
					change(&spec)
					name := fmt.Sprintf("%s at %d, only %v, %s", export.Kind, generation, only, variant)
					found.SHA256[name] = digest(wholeAndParts(t, renderer, spec))
				}
			}
		}
	}
	compareGolden(t, filepath.Join("testdata", "golden-dataset.json"), found, len(some) == len(all))
}

// goldenVariants are what requests differ in.
func goldenVariants() map[string]func(*exports.File) {
	return map[string]func(*exports.File){
		"whole":   func(*exports.File) {},
		"earlier": func(spec *exports.File) { spec.Now = now.Add(-60 * time.Hour); spec.Window.To = spec.Now },
		"segment": func(spec *exports.File) { spec.Segment = "s1" },
		"rows":    func(spec *exports.File) { most := int64(150); spec.MaxRows = &most },
		"parts":   func(spec *exports.File) { spec.PartSize = 20 << 10 },
		"some": func(spec *exports.File) {
			spec.Target, spec.Events, spec.Channels = "summer", spec.Events[:len(spec.Events)/2], spec.Channels[:len(spec.Channels)/2]
		},
	}
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// wholeAndParts is a file as one text, and then in parts.
func wholeAndParts(t *testing.T, renderer *rows.Renderer, spec exports.File) []byte {
	t.Helper()
	file, err := renderer.Open(spec)
	if err != nil {
		t.Fatalf("%s: %v", spec.Kind, err)
	}
	all := text(t, file)
	_, texts := partsOf(t, file)
	for _, part := range texts {
		all = append(all, part...)
	}
	return all
}

// compareGolden holds digests against those of a file, which has no others if these are all.
func compareGolden(t *testing.T, path string, found golden, all bool) {
	t.Helper()
	if *update {
		data := must.Get(json.MarshalIndent(found, "", "  "))(t)
		must.Do(t, os.WriteFile(path, append(data, '\n'), 0o644))
	}
	data := must.Get(os.ReadFile(path))(t)
	var want golden
	must.Do(t, json.Unmarshal(data, &want))
	if want.WorldVersion != found.WorldVersion || all && len(want.SHA256) != len(found.SHA256) {
		t.Errorf("there are %d digests of world version %d, want %d of %d", len(found.SHA256), found.WorldVersion, len(want.SHA256),
			want.WorldVersion)
	}
	for name, sum := range found.SHA256 {
		must.Equal(t, want.SHA256[name], sum, "%s has digest", name)
	}
}

// goldenLog loads rows of all kinds, drawn from a fixed seed, and returns what was refused.
func goldenLog(t *testing.T, library *schemas.Library) (log *dataset.Log, generations []int64, refusals string) {
	t.Helper()
	ctx := context.Background()
	people := must.Get(world.New(11, 300, world.Settings{}))(t)
	log = must.Get(dataset.Open(ctx, memory.New(), people))(t)
	d := drawing{Rand: rand.New(rand.NewPCG(5, 7)), facts: map[string][]string{
		vocabulary.ProfileID:      drawnTexts(t, people, vocabulary.ViewProfiles, vocabulary.ProfileID),
		vocabulary.CustomID:       drawnTexts(t, people, vocabulary.ViewProfiles, vocabulary.CustomID),
		vocabulary.InstallationID: drawnTexts(t, people, vocabulary.ViewInstallations, vocabulary.InstallationID),
	}}
	var refused strings.Builder
	load := func(kind input.Kind, lines []string) {
		read := readable(library, kind, lines)
		if _, err := log.Of("").Load(ctx, input.Rows(read), now.Add(-time.Hour)); err == nil {
			return
		} else {
			fmt.Fprintln(&refused, err)
		}
		for i := range read {
			if _, err := log.Of("").Load(ctx, input.Rows(read[i:i+1]), now.Add(-time.Hour)); err != nil {
				fmt.Fprintln(&refused, err)
			}
		}
	}
	keep := func() {
		status := must.Get(log.Of("").Current(ctx))(t)
		fmt.Fprintf(&refused, "%+v\n", status)
		generations = append(generations, status.Generation)
	}
	round := func(count int) {
		load(input.Profiles, d.some(count, d.profile))
		load(input.Installations, d.some(count, d.installation))
		load(input.Events, d.some(4*count, d.event))
		keep()
	}
	round(300)
	load(input.Events, d.some(300, d.event)) // before the profiles that they name
	round(100)
	must.Get(log.Of("").Reset(ctx, now))(t)
	round(150)
	round(30)
	t.Logf("generations %v, refused:\n%s", generations, refused.String())
	return log, generations, refused.String()
}

// readable are the rows that can be read: most of those that are drawn.
func readable(library *schemas.Library, kind input.Kind, lines []string) []input.Row {
	for {
		read, err := input.Read(library, kind, input.NDJSON, "", strings.NewReader(strings.Join(lines, "\n")))
		var invalid *input.InvalidError
		if !errors.As(err, &invalid) {
			return read
		}
		for _, fault := range invalid.Faults {
			lines[fault.Line-1] = "" // which keeps the places of the others
		}
		lines = slices.DeleteFunc(lines, func(line string) bool { return line == "" })
	}
}

// drawing draws rows.
type drawing struct {
	*rand.Rand
	facts map[string][]string // of the first people of the world
}

func (d *drawing) some(count int, one func() string) (lines []string) {
	for range count {
		lines = append(lines, one())
	}
	return lines
}

func (d *drawing) is(share float64) bool { return d.Float64() < share }

// fact is an identifier of somebody of the world; empty: they have none.
func (d *drawing) fact(name string) string { return d.facts[name][d.IntN(40)] }

// drawnTexts are the texts of a fact, in the order of the people.
func drawnTexts(t *testing.T, people *world.World, view, name string) (texts []string) {
	t.Helper()
	made := must.Get(people.View(world.Query{View: view, Now: now}))(t)
	fact, _ := made.Fact(name)
	must.Do(t, made.Write(t.Context(), world.Output{
		Render: func() world.Render {
			return func(dst []byte, row *world.Row) ([]byte, int) {
				if fact.Absent != nil && fact.Absent(row) {
					return dst, 1
				}
				return fact.Text(dst, row), 1
			}
		},
		Take: func(_ int64, text []byte) (bool, error) { texts = append(texts, string(text)); return true, nil }, To: made.Parts(),
	}))
	return texts
}

func (d *drawing) profileID() string {
	if d.is(0.1) {
		return d.fact(vocabulary.ProfileID)
	}
	return fmt.Sprintf("profile_%d", d.IntN(200))
}

func (d *drawing) customID() string {
	if d.is(0.1) {
		if id := d.fact(vocabulary.CustomID); id != "" {
			return id
		}
	}
	return fmt.Sprintf("customer-%d", d.IntN(200))
}

func (d *drawing) installID() string {
	if d.is(0.1) {
		return d.fact(vocabulary.InstallationID)
	}
	return fmt.Sprintf("phone-%d", d.IntN(300))
}

func (d *drawing) date() string {
	return now.Add(-time.Duration(d.Int64N(8*24*3600)) * time.Second).Add(12 * time.Hour).Format("2006-01-02T15:04:05Z")
}

func (d *drawing) object(members map[string]any) string {
	text, err := json.Marshal(members)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// put sets members with a probability.
func (d *drawing) put(members map[string]any, share float64, values map[string]func() any) map[string]any {
	for _, name := range sortedNames(values) {
		if value := values[name]; d.is(share) {
			members[name] = value()
		}
	}
	return members
}

func (d *drawing) pick(from ...any) func() any {
	return func() any { return from[d.IntN(len(from))] }
}

func (d *drawing) owner(members map[string]any) {
	number := d.IntN(200)
	switch {
	case d.is(0.2):
		members["profile_id"], members["custom_id"] = fmt.Sprintf("profile_%d", number), fmt.Sprintf("customer-%d", number)
	case d.is(0.5):
		members["custom_id"] = d.customID()
	default:
		members["profile_id"] = d.profileID()
	}
}

func (d *drawing) profile() string {
	members := map[string]any{}
	d.owner(members)
	dated := func() any { return d.date() }
	return d.object(d.put(members, 0.4, map[string]func() any{
		"creation_date": dated, "last_visit_date": dated, "last_activity": dated, "last_email_marketing_open": dated,
		"last_email_marketing_click": dated, "last_email_transactional_open": dated, "last_email_transactional_click": dated,
		"email_address": d.pick("a@example.com", "b@example.com", "c@example.com"), "mailbox_provider": d.pick("GMAIL"),
		"email_marketing": d.pick("subscribed", "unsubscribed"), "sms_marketing": d.pick("subscribed", "unsubscribed"),
		"phone_number": d.pick("+33600000001", "+33600000002"), "phone_country": d.pick("FR"), "language": d.pick("fr", "en"),
		"region": d.pick("FR"), "timezone": d.pick("Europe/Paris"),
		"segments": d.pick([]string{"s1", "s2"}, []string{"s2"}),
		"attributes": d.pick(map[string]any{"favourite_colour": "gr\"een", "age": 42},
			map[string]any{"favourite_colour": []string{"x", "y"}, "age": json.Number("1.50")}),
	}))
}

func (d *drawing) installation() string {
	members := map[string]any{"install_id": d.installID()}
	if d.is(0.7) {
		d.owner(members)
	}
	flag, dated := d.pick(true, false), func() any { return d.date() }
	return d.object(d.put(members, 0.5, map[string]func() any{
		"advertising_id": d.pick("ad-1", "ad-2"), "platform": d.pick("ios", "android", "web"), "install_date": dated, "last_start_date": dated,
		"smart_segment": d.pick("active", "dormant"), "is_optin": flag, "is_reachable": flag, "has_custom_id": flag,
	}))
}

func (d *drawing) event() string {
	types := []string{
		"push_sent", "push_open", "push_opened", "push_error", "push_bounced", "inapp_supplied", "inapp_shown", "inapp_clicked", "inapp_closed",
		"email_sent", "email_delivered", "email_open", "email_click", "email_bounced", "email_spam_complaint", "email_unsubscribed", "sms_sent",
		"sms_delivered", "sms_bounced", "sms_unsubscribed", "reachability", "reachability", "reachability", "tag_added", "tag_removed",
		"attribute_changed", "custom_event", "visit",
	}
	kind := types[d.IntN(len(types))]
	members := map[string]any{"type": kind}
	if d.is(0.9) {
		members["date"] = d.date()
	}
	push := strings.HasPrefix(kind, "push_") || strings.HasPrefix(kind, "inapp_")
	if push || d.is(0.5) {
		members["install_id"] = d.installID()
	}
	if !push && (members["install_id"] == nil || d.is(0.2)) {
		d.owner(members)
	}
	flag := d.pick(true, false)
	switch {
	case strings.HasPrefix(kind, "inapp_") || push && d.is(0.4):
		members["campaign"] = d.pick("spring", "spring", "summer")()
	case push && d.is(0.7):
		members["group"] = d.pick("spring", "spring", "summer")()
	}
	switch kind {
	case "reachability":
		d.reachability(members, flag)
	case "tag_added", "tag_removed":
		members["collection"], members["tag"] = d.pick("favourite_colour", "age")(), d.pick("a", "b", "c")()
	case "attribute_changed":
		members["attribute"] = d.pick("favourite_colour", "age")()
		if d.is(0.8) {
			members["value"] = d.pick("v", json.Number("12"), true, []string{"a", "b"})()
		}
	case "custom_event":
		members["name"], members["data"] = "bought", map[string]any{"price": 12}
	}
	if strings.HasPrefix(kind, "email_") && d.is(0.3) {
		members["email_address"] = "sent-to@example.com"
	}
	if strings.HasPrefix(kind, "sms_") && d.is(0.3) {
		members["phone_number"] = "+33600000009"
	}
	if kind == "inapp_clicked" {
		members["cta"], members["cta_position"] = "service.deeplink", json.Number("1e0")
	}
	if !push && !strings.HasPrefix(kind, "email_") && !strings.HasPrefix(kind, "sms_") {
		return d.object(members)
	}
	text := d.pick("x1", "x;\"2\"")
	shown := map[string]func() any{"orchestration_name": text, "step_name": text, "ab_testing_status": text, "ab_testing_variant": text,
		"message_language": text, "sent_id": text}
	if push && d.is(0.2) {
		shown["orchestration_id"] = d.pick("orchestration_1")
	}
	return d.object(d.put(members, 0.3, shown))
}

func (d *drawing) reachability(members map[string]any, flag func() any) {
	if members["install_id"] != nil {
		d.put(members, 0.5, map[string]func() any{"is_optin": flag, "is_reachable": flag, "has_custom_id": flag})
	}
	d.put(members, 0.3, map[string]func() any{
		"email_marketing": d.pick("subscribed", "unsubscribed"), "sms_marketing": d.pick("subscribed", "unsubscribed"),
		"email_address": d.pick("a@example.com", "n@example.com"), "phone_number": d.pick("+33600000001", "+33600000003"),
		"event_id": d.pick("e1", "e2"),
	})
	if d.is(0.3) {
		members["reasons"] = d.pick([]string{"SUBSCRIBED_TO_PUSH", "PUSH_TOKEN_ADDED"}, []string{"EMAIL_ADDRESS_REMOVED"},
			[]string{"PHONE_NUMBER_UPDATED", "SUBSCRIBED_TO_SMS_MARKETING"})()
	}
}

func sortedNames(values map[string]func() any) []string { return slices.Sorted(maps.Keys(values)) }
