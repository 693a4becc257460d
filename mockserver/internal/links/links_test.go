package links_test

import (
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/links"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

var (
	noon   = time.Date(2025, 11, 20, 12, 0, 0, 0, time.UTC)
	secret = []byte("0123456789abcdef0123456789abcdef")
)

func parse(t testing.TB, query string) url.Values {
	t.Helper()
	return must.Get(url.ParseQuery(query))(t)
}

// TestAltered changes every character of every parameter, and the parameters as wholes.
func TestAltered(t *testing.T) {
	signer := links.New(secret, 0)
	const file = "/files/a.csv"
	genuine := signer.Sign(file, noon)
	refuse := func(what, file string, query url.Values) {
		t.Helper()
		if err := signer.Verify(file, query, noon.Add(-time.Hour)); !errors.Is(err, links.ErrForged) {
			t.Errorf("%s: %v, want ErrForged (%s?%s)", what, err, file, query.Encode())
		}
	}
	for name, values := range parse(t, genuine) {
		for i := range values[0] {
			for _, letter := range []byte("A0_-=.: \n\x00\xff") {
				altered := []byte(values[0])
				if altered[i] == letter {
					continue
				}
				altered[i] = letter
				query := parse(t, genuine)
				query.Set(name, string(altered))
				refuse("a character of "+name, file, query)
				query.Set(name, values[0][:i]+string(letter)+values[0][i:])
				refuse("one more character in "+name, file, query)
			}
			query := parse(t, genuine)
			query.Set(name, values[0][:i]+values[0][i+1:])
			refuse("one character less in "+name, file, query)
		}
		missing, empty, twice := parse(t, genuine), parse(t, genuine), parse(t, genuine)
		missing.Del(name)
		refuse("without "+name, file, missing)
		empty.Set(name, "")
		refuse("with empty "+name, file, empty)
		twice.Add(name, values[0])
		refuse("twice "+name, file, twice)
		longer := parse(t, genuine)
		longer.Set(name, values[0]+"\n")
		refuse("a line end after "+name, file, longer)
	}
	for _, other := range []string{"", "/files/b.csv", "/files/a.csv ", "/files/a.cs", "/FILES/a.csv", "/files/a.csv\x00"} {
		refuse("another file", other, parse(t, genuine))
	}
	later := parse(t, genuine)
	later.Set("expires", "2025-11-20T13:00:00Z")
	refuse("a later end", file, later)
	same := parse(t, genuine)
	same.Set("expires", "2025-11-20T12:00:00.000Z")
	refuse("the same end in other words", file, same)
	refuse("nothing", file, nil)

	// Text cannot move from one part to the next.
	split := parse(t, genuine)
	split.Set("expires", "csv"+split.Get("expires"))
	refuse("a file's end moved into the expiry", "/files/a.", split)

	extra := parse(t, genuine)
	extra.Set("utm", "x")
	if err := signer.Verify(file, extra, noon.Add(-1)); err != nil {
		t.Errorf("a parameter of somebody else: %v", err)
	}
}

// TestExplain: a refusal names the slip of a program that the query shows.
func TestExplain(t *testing.T) {
	genuine := links.New(secret, 0).Sign("/files/a.csv", noon)
	for query, want := range map[string]string{
		strings.ReplaceAll(genuine, "&", "&amp;"):  "escaped for HTML",
		strings.ToLower(genuine):                   "small letters",
		strings.ReplaceAll(genuine, "&", `\u0026`): "escaped for JSON",
		strings.ReplaceAll(genuine, ":", "%253A"):  "escaped twice",
		strings.ReplaceAll(genuine, "&", "%26"):    "escaped as one value",
		genuine + "%22":                            "a quote in its query",
		genuine[:strings.Index(genuine, "&")]:      "nonce is missing; in a shell, quote the link",
		strings.Replace(genuine, "T12", "T13", 1):  "was not issued for this file or was altered",
	} {
		if text := links.Explain(query); !strings.Contains(text, want) {
			t.Errorf("%s: %s, want %q", query, text, want)
		}
	}
}

func FuzzVerify(f *testing.F) {
	signer := links.New(secret, 0)
	const file = "/files/a.csv"
	genuine := signer.Sign(file, noon)
	f.Add(file, genuine)
	f.Add(file, genuine+"&expires=2026-01-01T00:00:00Z")
	f.Add("", "expires=&nonce=&signature=")
	f.Add(file, "signature=%00&expires=x&nonce=1")
	f.Fuzz(func(t *testing.T, name, query string) {
		values, err := url.ParseQuery(query)
		if err != nil {
			return
		}
		err = signer.Verify(name, values, noon.Add(-time.Hour))
		want := parse(t, genuine)
		same := name == file
		for parameter := range want {
			same = same && len(values[parameter]) == 1 && values.Get(parameter) == want.Get(parameter)
		}
		if same != (err == nil) {
			t.Fatalf("%q?%q: %v", name, query, err)
		}
	})
}
