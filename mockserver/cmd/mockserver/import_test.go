package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"io"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

const testKey = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"

const importNow = "2026-11-01T00:00:00Z"

// exported writes a file of every kind, under names that say nothing.
func exported(t *testing.T, directory string, profiles int) (names map[string]string, arguments []string) {
	t.Helper()
	names = map[string]string{}
	for _, kind := range slices.Sorted(maps.Keys(requests)) {
		name := filepath.Join(directory, string(rune('a'+len(names)))+".export")
		invoke(t, "", "generate", "--kind", kind, "--profiles", strconv.Itoa(profiles), "--seed", "7", "--now", importNow,
			"--out", name).is(t, exitOK, "", "")
		names[kind] = name
		arguments = append(arguments, name)
		if kind == "transactional.ids" { // its content is that of campaign.ids
			arguments = append(arguments, "--kind", name+"="+kind)
		}
		switch group, _, _ := strings.Cut(kind, "."); group {
		case "campaign", "transactional", "in-app-campaign":
			arguments = append(arguments, "--campaign", name+"="+group)
		}
	}
	return names, arguments
}

// rowsOf are the rows of a file in an order of their own.
func rowsOf(t *testing.T, name string) []string {
	t.Helper()
	text := must.Get(os.ReadFile(name))(t)
	rows := strings.Split(strings.ReplaceAll(string(text), ",\n", "\n"), "\n")
	slices.Sort(rows)
	return rows
}

func TestImportComesBack(t *testing.T) {
	directory := t.TempDir()
	names, arguments := exported(t, directory, testlevel.Count(1200, 1200, 2500))
	made := filepath.Join(directory, "dataset")
	imported := invoke(t, "", append([]string{"import", "--out", made}, arguments...)...)
	imported.is(t, exitOK, "", "")
	must.Hold(t, !strings.Contains(imported.out, "left out"), "something is not imported: %s", imported.out)
	for kind, name := range names {
		must.Hold(t, strings.Contains(imported.out, name+": "+kind), "%s is not said to be of %s:\n%s", name, kind, imported.out)
		again := name + ".again"
		group, _, _ := strings.Cut(kind, ".")
		generated := invoke(t, "", "generate", "--kind", kind, "--data", made, "--data-mode", "only", "--now", importNow, "--token", group,
			"--out", again)
		if generated.code != 0 && strings.Contains(generated.err, "--token") {
			generated = invoke(t, "", "generate", "--kind", kind, "--data", made, "--data-mode", "only", "--now", importNow, "--out", again)
		}
		generated.is(t, exitOK, "", "")
		before, after := rowsOf(t, name), rowsOf(t, again)
		different := 0
		for _, row := range before {
			if _, found := slices.BinarySearch(after, row); !found {
				different++
			}
		}
		// What changed before the window, and which of two devices a push went to, the files do not say.
		allowed := len(before) / 20
		if kind == "userbase" || kind == "profiles.attributes" {
			allowed = 0
		}
		if len(before) != len(after) || different > allowed {
			t.Errorf("%s: %d rows became %d, and %d are not there as they were", kind, len(before), len(after), different)
		}
	}
}

func TestImportTakesPartsDaysAndGzip(t *testing.T) {
	directory := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(directory, name)
		if strings.HasSuffix(name, ".gz") {
			var packed bytes.Buffer
			to := gzip.NewWriter(&packed)
			to.Write([]byte(text))
			to.Close()
			text = packed.String()
		}
		must.Do(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	monday := write("monday.csv.gz", userbaseHeader+"a1;ada;;true;2026-01-01T00:00:00;2026-01-05T00:00:00;new\n")
	tuesday := write("tuesday.csv",
		userbaseHeader+"a1;ada;;false;2026-01-01T00:00:00;2026-01-06T00:00:00;active\na2;bob;;true;2026-01-02T00:00:00;2026-01-06T00:00:00;new\n")
	nothing := write("nothing.json", "[]")
	made := filepath.Join(directory, "made")
	imported := invoke(t, "", "import", "--out", made, monday, tuesday, nothing)
	if imported.code != 0 || !strings.Contains(imported.out, "0 profiles, 2 installations, 0 events") &&
		!strings.Contains(imported.out, "2 profiles, 2 installations, 0 events") {
		t.Fatalf("%d %s %s", imported.code, imported.out, imported.err)
	}
	text := must.Get(os.ReadFile(filepath.Join(made, "installations.ndjson")))(t)
	for _, wanted := range []string{`"install_id":"a1","is_optin":false,"last_start_date":"2026-01-06T00:00:00","smart_segment":"active"`,
		`"install_id":"a2"`} {
		must.Hold(t, strings.Contains(string(text), wanted), "%s is not in\n%s", wanted, text)
	}
	invoke(t, "", "import", "--out", made, monday).is(t, exitFailed, "", "is not empty; name a new directory")
}

// TestImportWithFewIdentifiers: exports may be requested with any of the identifiers alone.
func TestImportWithFewIdentifiers(t *testing.T) {
	directory := t.TempDir()
	for _, c := range []struct{ ids, kind, wanted string }{
		{"custom_id", "userbase", " installations, 0 events"},
		{"advertising_id", "userbase", " without an identifier, left out\n"},
		{"custom_id", "in-app-campaign.events", " installations, "},
		{"advertising_id", "campaign.events", " without an identifier, left out\n"},
	} {
		name, out := filepath.Join(directory, c.ids+"."+c.kind), filepath.Join(directory, c.ids+"-"+c.kind)
		invoke(t, "", "generate", "--kind", c.kind, "--ids", c.ids, "--profiles", "2000", "--seed", "7", "--now", importNow, "--out",
			name).is(t, exitOK, "", "")
		imported := invoke(t, "", "import", "--out", out, name)
		if imported.code != 0 || !strings.Contains(imported.out, c.wanted) || strings.Contains(imported.out, " 0 installations,") {
			t.Errorf("%s of %s: %d %s %s", c.kind, c.ids, imported.code, imported.out, imported.err)
			continue
		}
		invoke(t, "", "generate", "--kind", c.kind, "--ids", c.ids, "--data", out, "--data-mode", "only", "--now", importNow, "--out",
			name+".again").is(t, exitOK, "", "")
	}
}

func TestImportRefuses(t *testing.T) {
	directory := t.TempDir()
	bad := written(t, "bad.csv", userbaseHeader+"a1;Ada Lovelace;;perhaps;never;2026-01-05T00:00:00;new\n")
	out := filepath.Join(directory, "out")
	for _, c := range []struct {
		name      string
		arguments []string
		code      int
		err       string
	}{
		{"no file", []string{"--out", out}, exitUsage, "no file is given"},
		{"a file that is not there", []string{"--out", out, bad + ".gone"}, exitUsage, "bad.csv.gone is not there"},
		{"no directory", []string{bad}, exitUsage, "--out is missing"},
		{"bad rows", []string{"--out", out, bad}, exitFailed, "bad.csv:2:18: /is_optin_push: "},
		{"another file", []string{"--out", out, "--kind", "other=userbase", bad}, exitUsage, "--kind speaks of other"},
		{"no kind", []string{"--out", out, "--kind", bad + "=users", bad}, exitUsage, "there is no export users"},
		{"short key", []string{"--out", out, "--pseudonymise", "fifteen bytes..", bad}, exitUsage, "a passphrase of at least 16 bytes"},
		{"coarse without a key", []string{"--out", out, "--coarsen", bad}, exitUsage, "need --pseudonymise"},
		{"unique without a key", []string{"--out", out, "--most-unique", "1", bad}, exitUsage, "need --pseudonymise"},
		{"no key file", []string{"--out", out, "--pseudonymise", "@" + out, bad}, exitFailed, "--pseudonymise: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := invoke(t, "", append([]string{"import"}, c.arguments...)...)
			got.is(t, c.code, "", c.err)
			if _, err := os.Stat(out); err == nil {
				t.Error("something was written")
			}
		})
	}
	names := written(t, "names.csv", "install_id;loyalty;is_optin_push;install_date;last_start_date;smart_segment\n"+
		"a1;gold;true;2026-01-01T00:00:00;2026-01-05T00:00:00;new\n")
	for _, key := range []string{"", testKey} { // the name of a column is no value
		got := invoke(t, "", "import", "--out", out, "--pseudonymise", key, names)
		if got.code != exitFailed ||
			!strings.Contains(got.err, "names.csv:1:12: /loyalty: the column loyalty is not known here: allowed are install_id, ") ||
			strings.Contains(got.err, "gold") {
			t.Errorf("with the key %q: %d %s", key, got.code, got.err)
		}
	}
	secret := invoke(t, "", "import", "--out", out, "--pseudonymise", testKey, bad)
	if secret.code != exitFailed || strings.Contains(secret.err, "perhaps") ||
		!strings.Contains(secret.err, "bad.csv:2:18: /is_optin_push: it breaks the rule ") {
		t.Errorf("the message shows a value: %s", secret.err)
	}
}

// TestImportKeepsFiles: a file is never replaced by a dataset, whether it is read or not, and neither is a link.
func TestImportKeepsFiles(t *testing.T) {
	directory := t.TempDir()
	in := func(name string) string { return filepath.Join(directory, name) }
	const content = userbaseHeader + "a1;ada;;true;2026-01-01T00:00:00;2026-01-05T00:00:00;new\n"
	for _, name := range []string{"read.csv", "other.txt"} {
		must.Do(t, os.WriteFile(in(name), []byte(content), 0o600))
	}
	names := []string{"read.csv", "other.txt"}
	if err := os.Symlink(in("other.txt"), in("link")); err == nil { // Windows may not allow it
		names = append(names, "link")
	}
	for _, name := range names {
		got := invoke(t, "", "import", "--out", in(name), in("read.csv"))
		got.is(t, exitFailed, "", in(name)+" is a file; name a new directory")
		if text, err := os.ReadFile(in(name)); err != nil || string(text) != content {
			t.Errorf("%s was changed: %q, %v", name, text, err)
		}
	}
}

// TestNothingSurvives: what the files say of somebody is nowhere after they were imported with a key, and served.
func TestNothingSurvives(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	names, files := exported(t, t.TempDir(), 2500)
	originals, data := map[string]bool{}, filepath.Join(temporary, "dataset")
	for _, name := range names {
		text := must.Get(os.ReadFile(name))(t)
		collect(t, text, originals)
	}
	if len(originals) < 5000 {
		t.Fatalf("%d values to look for are too few", len(originals))
	}
	state := filepath.Join(temporary, "state.db")
	var seen strings.Builder
	imported := invoke(t, "", append([]string{"import", "--out", data, "--pseudonymise", testKey}, files...)...)
	imported.is(t, exitOK, "", "")
	seen.WriteString(imported.err + "\n")
	server := start(t, nil, "--addr", "127.0.0.1:0", "--state", state, "--data", data, "--data-mode", "only",
		"--log-level", "debug", "--now", importNow, "--progress", "now")
	code, body := server.send("POST", "/1.0/live_demo/export/userbase", requests["userbase"].body+`}`, "X-Authorization", "rest_demo")
	var created struct{ RequestID string }
	if json.Unmarshal([]byte(body), &created); code >= 300 {
		t.Fatal(code, body)
	}
	_, record := server.send("GET", "/1.0/live_demo/export/request/"+created.RequestID, "", "X-Authorization", "rest_demo")
	var link struct {
		FileURL string `json:"file_url"`
	}
	json.Unmarshal([]byte(record), &link)
	address := must.Get(url.Parse(link.FileURL))(t)
	_, file := server.send("GET", address.RequestURI(), "")
	if strings.Count(file, "\n") < 1000 {
		t.Fatalf("the userbase is short: %.300s %s", file, record)
	}
	seen.WriteString(file)
	for _, path := range []string{"/_mock/state", "/_mock/journal", "/_mock/data"} {
		_, text := server.send("GET", path, "")
		seen.WriteString(text)
	}
	for _, stop := range []func() int{func() int { return 0 }, server.end} { // the server may have further files while it runs
		stop()
		must.Do(t, filepath.WalkDir(temporary, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			seen.Write(text)
			return err
		}))
	}
	seen.WriteString(server.output.String())
	words := map[string]bool{}
	for _, between := range []func(rune) bool{isBetween, func(char rune) bool {
		return isBetween(char) ||
			strings.ContainsRune("=&?/", char)
	}} {
		for _, word := range strings.FieldsFunc(seen.String(), between) {
			words[word] = true
		}
	}
	if len(words) < 5000 {
		t.Fatalf("%d words were seen, too few", len(words))
	}
	for original := range originals {
		for _, form := range forms(original) {
			if words[form] {
				t.Errorf("%q survives as %q", original, form)
			}
		}
	}
}

// forms are those in which a value may be written.
func forms(value string) []string {
	return []string{
		value, strings.ToLower(value), strings.ToUpper(value), url.QueryEscape(value), hex.EncodeToString([]byte(value)),
		base64.StdEncoding.EncodeToString([]byte(value)), base64.RawStdEncoding.EncodeToString([]byte(value)),
		base64.RawURLEncoding.EncodeToString([]byte(value)),
	}
}

// TestKeyIsTold: who gives another key the next time can see it.
func TestKeyIsTold(t *testing.T) {
	directory := t.TempDir()
	name := filepath.Join(directory, "userbase.csv")
	invoke(t, "", "generate", "--kind", "userbase", "--profiles", "20", "--out", name).is(t, exitOK, "", "")
	said := func(out, key string) string {
		got := invoke(t, "", "import", "--out", filepath.Join(directory, out), "--pseudonymise", key, name)
		if got.code != exitOK || !strings.Contains(got.err, "pseudonyms are by the key with the check value ") {
			t.Fatalf("%d %s", got.code, got.err)
		}
		return got.err
	}
	first, again, other := said("1", testKey), said("2", testKey), said("3", strings.Repeat("ab", 32))
	passphrase, file := "a passphrase that is told to nobody", filepath.Join(directory, "passphrase")
	must.Do(t, os.WriteFile(file, []byte(passphrase+"\n"), 0o600))
	spoken, written := said("4", passphrase), said("5", "@"+file)
	if first != again || first == other || spoken == first || spoken != written || strings.Contains(spoken, passphrase) {
		t.Errorf("%q, again %q, with another key %q, with a passphrase %q, of a file %q", first, again, other, spoken, written)
	}
}

// TestPseudonymise: a file of any kind is one of its kind afterwards, as long, and holds none of its values.
func TestPseudonymise(t *testing.T) {
	names, _ := exported(t, t.TempDir(), 2500)
	key := must.Get(pseudonymKey(testKey))(t)
	library := must.Get(schemas.Embedded())(t)
	change := pseudonymised(key, func() *schemas.Library { return library })
	for kind, name := range names {
		t.Run(kind, func(t *testing.T) {
			text := must.Get(os.ReadFile(name))(t)
			var changed bytes.Buffer
			must.Do(t, change(kind, opens(string(text)), &changed))
			originals, words := map[string]bool{}, map[string]bool{}
			collect(t, text, originals)
			for _, word := range strings.FieldsFunc(changed.String(), isBetween) {
				words[word] = true
			}
			for original := range originals {
				if words[original] {
					t.Errorf("%q survives", original)
				}
			}
			if before, after := countRows(t, string(text)), countRows(t, changed.String()); before != after || len(originals) < 20 {
				t.Errorf("%d rows became %d, of %d originals", before, after, len(originals))
			}
			again := filepath.Join(t.TempDir(), "changed")
			must.Do(t, os.WriteFile(again, changed.Bytes(), 0o600))
			invoke(t, "", "check", "--now", importNow, "--rules",
				"schema,time-order,duplicates,journey,profile-identifiers,installation-identifiers", "--kind", again+"="+kind, again).is(t, exitOK,
				"", "")
		})
	}
	must.Equal(t, change("userbase", opens("install_id;loyalty\nphone-123456;ada@example.com\n"), new(bytes.Buffer)), nil, "the error")
	for kind, text := range map[string]string{"userbase": "a;b\n1\n", "profiles.attributes": `{"a": 1}`, "nothing": ""} {
		if err := change(kind, opens(text), new(bytes.Buffer)); err == nil {
			t.Errorf("%s: %s is taken", kind, text)
		}
	}
}

// countRows counts the rows of a file, whose cells may have line breaks.
func countRows(t *testing.T, text string) int {
	t.Helper()
	if strings.HasPrefix(text, "[") {
		return strings.Count(text, "\n")
	}
	reader := csv.NewReader(strings.NewReader(text))
	reader.Comma = ';'
	return len(must.Get(reader.ReadAll())(t))
}

func opens(text string) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
}

// collect finds the words of a file that are of somebody: of six characters and more, with a digit or an @, and no date.
func collect(t *testing.T, text []byte, into map[string]bool) {
	t.Helper()
	for _, word := range strings.FieldsFunc(string(text), isBetween) {
		isDate := strings.HasPrefix(word, "20") && strings.Contains(word, "T")
		if len(word) >= 6 && strings.ContainsAny(word, "0123456789@") && !isDate && strings.Trim(word, "0-") != "" {
			into[word] = true
		}
	}
}

func isBetween(char rune) bool {
	return strings.ContainsRune(" ;,\"{}[]:\n\r\t\\\x00<>()", char) || char < ' '
}

// TestUniquePeople: an import with too many unique people writes nothing, says so, and gives advice that was not followed yet.
func TestUniquePeople(t *testing.T) {
	directory := t.TempDir()
	name, out := filepath.Join(directory, "userbase.csv"), filepath.Join(directory, "out")
	invoke(t, "", "generate", "--kind", "userbase", "--profiles", "20", "--out", name).is(t, exitOK, "", "")
	usual := []string{"import", "--out", out, "--pseudonymise", testKey, "--most-unique", "-1"}
	for advice, flags := range map[string][]string{"nothing was written, and --coarsen may help\n": {name}, "nothing was written\n": {"--coarsen", name}} {
		got := invoke(t, "", append(slices.Clone(usual), flags...)...)
		if got.code != exitFailed || !strings.Contains(got.err, advice) || strings.Contains(got.out, out+": ") {
			t.Errorf("%q: %d %s%s", flags, got.code, got.out, got.err)
		}
		if _, err := os.Stat(out); err == nil {
			t.Error("something was written")
		}
	}
}
