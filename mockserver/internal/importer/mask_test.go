package importer_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/importer"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pseudonym"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// forms are what a person may look like in a file; %s is a word of hers, %d a number.
var forms = []string{
	"%s", "%s@gmail.com", "Dr. %s", "550 5.1.1 <%s@company.com>: User unknown", "550 %s", "service.deeplink.user.%s", "fr-%s",
	"x-%s",
	"https://company.com/%s?a=1", "profile_%s", "%s_0123456789abcdef", "+33612%d", "06 12 %d", "48.85%d", "1990-02-28 %s",
	"2026-02-28T11:22:33%s",
	"<%s>", "%s;%s", "Europe/%s", "%s\r\n%s", "5.1.%d", "-%d", "%d",
}

// plant fills a form with a person that nobody else is.
func plant(form string, number int) (text string, words []string) {
	name, digits := fmt.Sprintf("lovelace%c%c%c", 'a'+number/676%26, 'a'+number/26%26, 'a'+number%26), fmt.Sprint(7000001+number)
	text = form
	for old, made := range map[string]string{"%s": name, "%d": digits} {
		if strings.Contains(text, old) {
			text, words = strings.ReplaceAll(text, old, made), append(words, made)
		}
	}
	return text, words
}

// planted are files in which people are planted wherever a schema leaves room.
func planted(export, text string) string {
	quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r", `\r`, "\n", `\n`).Replace(text)
	cell := `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	switch export {
	case "userbase":
		return "install_id;custom_id;advertising_id;is_optin_push;install_date;last_start_date;smart_segment\n" +
			strings.Repeat(cell+";", 3) + "true;2026-01-01T00:00:00;2026-01-05T00:00:00;" + cell + "\n"
	case "in-app-campaign.events":
		return "install_id;custom_id;advertising_id;event_date;event_type;cta;cta_position\n" +
			strings.Repeat(cell+";", 3) + "2026-01-01T00:00:00;inapp_clicked;" + cell + ";0\n"
	case "profiles.attributes":
		return strings.ReplaceAll(`[{"attributes":{"$language":"X","$region":"X","$timezone":"X",`+
			`"$email_address":"a@company.com","X":true,"note":"X","list":["X","X"]},"identifiers":{"profile_id":"profile_X","custom_id":"X","installation_ids":["X"]}}]`, "X", quoted)
	}
	return strings.ReplaceAll(`[{"api_key":"X","event_date":"2026-01-31T08:30:00Z","event_type":"email_bounced",`+
		`"email_address":"a@company.com","mailbox_provider":"X","bounce_code":"X","bounce_type":"X","message_language":"X",`+
		`"orchestration_id":"orchestration_X","orchestration_name":"X","sent_id":"X","step_id":"X","step_name":"X",`+
		`"ab_testing_variant":"X","ab_testing_status":"X","identifiers":{"profile_id":"profile_X","custom_id":"X"}}]`,
		"X", quoted)
}

// TestPlantedPeople: nothing of a person is in a row, a report or a copy, in whatever column of whatever kind it stood.
func TestPlantedPeople(t *testing.T) {
	library := must.Get(schemas.Embedded())(t)
	key := must.Get(pseudonym.New(pseudonym.Make()))(t)
	number := 0
	for _, export := range library.Exports() {
		if !slices.Contains([]string{"userbase", "in-app-campaign.events", "profiles.attributes", "profiles.events"}, export.Kind) {
			continue
		}
		read, last := 0, error(nil)
		for _, form := range forms {
			number++
			text, words := plant(form, number)
			file := planted(export.Kind, text)
			var seen bytes.Buffer
			inputs := []importer.Input{{Name: "file", Kind: export.Kind, Campaign: text, Reader: strings.NewReader(file)}}
			options := importer.Options{Key: key, Directory: t.TempDir()}
			summary, err := importer.Files(t.Context(), library, inputs, options, func(_ string, row []byte) error {
				read++
				seen.Write(row)
				return nil
			})
			if fmt.Fprint(&seen, summary, summary.Report(), err); err != nil {
				last = err
			}
			open := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(file)), nil }
			fmt.Fprint(&seen, importer.Pseudonymise(library, export, key, open, &seen))
			for _, word := range words {
				must.Hold(t, !strings.Contains(seen.String(), word), "%s: %q of %q is in %s", export.Kind, word, text, seen.String())
			}
		}
		must.Hold(t, read >= len(forms)/2, "%s: only %d rows were read: %v", export.Kind, read, last)
	}
}

// people is a file of attributes; some share a plan, and one has what nobody else has.
func people(count, sharing int) string {
	var rows []string
	for n := range count {
		plan, more := "gold club", ""
		if n >= sharing {
			plan = fmt.Sprint("plan of lovelace ", n)
			more = fmt.Sprintf(`,"known to lovelace %d":true`, n)
		}
		rows = append(rows, fmt.Sprintf(`{"attributes":{"$creation_date":"2026-01-%02dT08:%02d:01Z","$region":%q,"plan":%q%s},`+
			`"identifiers":{"profile_id":"profile_%d"}}`, n%28+1, n%60, map[bool]string{true: "FR", false: "DE"}[n < sharing], plan, more, n))
	}
	return "[" + strings.Join(rows, ",\n") + "]"
}

// TestShared: a text stays if enough people have it, and the report says who can still be recognised.
func TestShared(t *testing.T) {
	library := must.Get(schemas.Embedded())(t)
	key := must.Get(pseudonym.New(pseudonym.Make()))(t)
	for _, c := range []struct {
		sharing int
		coarse  bool
		stay    []string
		go_     []string
		unique  [3]int64
	}{
		{importer.LeastPeople, false, []string{`"gold club"`, `"DE"`, "2026-01-03T08:02:01Z"}, []string{"lovelace"}, [3]int64{0, 25, 25}},
		{importer.LeastPeople - 1, false, []string{`"FR"`}, []string{"lovelace", "gold"}, [3]int64{0, 25, 25}},
		{importer.LeastPeople, true, []string{`"gold club"`, `"FR"`, `"2026-01-01T00:00:00Z"`}, []string{"lovelace", `"DE"`, ":01Z"},
			[3]int64{0, 0, 0}},
	} {
		var seen strings.Builder
		inputs := []importer.Input{{Name: "file", Kind: "profiles.attributes", Reader: strings.NewReader(people(25, c.sharing))}}
		summary, err := importer.Files(t.Context(), library, inputs, importer.Options{Key: key, Coarse: c.coarse, Directory: t.TempDir()},
			func(_ string, row []byte) error {
				seen.Write(row)
				return nil
			})
		must.Do(t, err)
		for _, stays := range c.stay {
			must.Hold(t, strings.Contains(seen.String(), stays), "%+v: %s is not in %s", c, stays, seen.String())
		}
		report := strings.Join(summary.Report(), "\n")
		for _, goes := range c.go_ {
			must.Hold(t, !strings.Contains(seen.String()+report, goes), "%+v: %s is in %s\n%s", c, goes, seen.String(), report)
		}
		for by, of := range summary.Alike {
			if of.Unique != c.unique[by] || of.People != 25 || (of.Unique == 0) != (of.Smallest > 1) {
				t.Errorf("%+v: %+v", c, of)
			}
		}
		if !strings.Contains(report, "names of attributes") || !strings.Contains(report, "region of ISO 3166") ||
			summary.Unique() != 4*float64(c.unique[1]) {
			t.Errorf("%+v: %v: %s", c, summary.Unique(), report)
		}
	}
}

// TestInto: a dataset comes wherever a directory can be, for its owner only, all of it or nothing.
func TestInto(t *testing.T) {
	library := must.Get(schemas.Embedded())(t)
	t.Chdir(t.TempDir())
	must.Do(t, os.Mkdir("empty", 0o755))
	refuse := errors.New("refused")
	for out, refused := range map[string]error{"bare": nil, "empty": nil, "a/b/c": nil, "./dot": nil, "new": refuse, "./refused/": refuse} {
		inputs := []importer.Input{{Name: "file", Kind: "profiles.attributes", Reader: strings.NewReader(people(testlevel.Count(3, 3, 30), 2))}}
		_, err := importer.Into(t.Context(), library, inputs, importer.Options{}, out, func(*importer.Summary) error { return refused })
		found, _ := filepath.Glob(filepath.Join(out, "*"))
		hidden, _ := filepath.Glob(filepath.Join(out, ".*"))
		if !errors.Is(err, refused) || len(hidden) > 0 || len(found) != map[bool]int{true: 3, false: 0}[refused == nil] {
			t.Errorf("%s: %v %v, %v", out, found, hidden, err)
		}
		for _, name := range found {
			if of := must.Get(os.Stat(name))(t); of.Mode().Perm() != 0o600 {
				t.Errorf("%s has the mode %v", name, of.Mode())
			}
		}
		if _, err := os.Stat(out); (err == nil) != (refused == nil) {
			t.Errorf("%s: %v", out, err)
		}
	}
}
