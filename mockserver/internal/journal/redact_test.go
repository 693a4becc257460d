package journal_test

import (
	"encoding/json"
	"hash/maphash"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestRedaction: no secret of a request is in its entry, wherever it stood.
func TestRedaction(t *testing.T) {
	const company, token = "rest_secret", "token_secret"
	seed := maphash.MakeSeed()
	for about, c := range map[string]struct{ company, authorization, path, query, agent, body string }{
		"where they belong":    {company, "Bearer " + token, "/1.0/live/export/userbase", "", "curl", `{"ids":[]}`},
		"no scheme":            {"", token, "/" + token, "", token, token},
		"blanks around":        {" " + company + " ", "  bearer   " + token + " ", "/" + company, "a=" + token, "", ""},
		"in the path":          {company, "Bearer " + token, "/1.0/" + company + "/export/" + token, "", "", ""},
		"in the query":         {company, "Bearer " + token, "/", "a=" + company + "&b=" + token, "", ""},
		"escaped in the path":  {company, "", "/1.0/rest%5Fsecret/x%72est_secret", "", "", ""},
		"escaped in the query": {"", "Bearer " + token, "/%zz", "a=t%6Fken_secret&b=%zz&%74oken%5fsecret", "", ""},
		"under telling names": {"", "", "/", "token=token_secret&ACCESS_TOKEN=token_secret&X-Authorization=rest_secret&%74oken=token_secret",
			"", ""},
		"under other spellings": {"", "", "/",
			"api-key=token_secret&session=token_secret&X-Amz-Signature=token_secret&sig=token_secret&SessionId=token_secret",
			"", ""},
		"before a NUL":            {"", "Bearer " + token, "/%74oken_secret%00", "a=%74oken_secret%00", "", ""},
		"a signature":             {"", "", "/files/x", "expires=1&nonce=2&signature=token_secret", "", ""},
		"an escaped signature":    {"", "", "/files/x", "expires=1&nonce=2&sign%61ture=token_secret", "", ""},
		"in the user agent":       {company, "", "/", "", "curl (" + company + ")", ""},
		"escaped twice":           {company, "", "/rest%255Fsecret", "a=rest%25255Fsecret", "rest%5Fsecret", ""},
		"in the body":             {company, "Bearer " + token, "/", "", "", `{"` + token + `":"` + company + `"}`},
		"on the border of a body": {company, "", "/", "", "", strings.Repeat("x", 1020) + company},
		"in addresses": {"", "", "/", "", "", `["http://token_secret@h/x?sig=token_secret","https:\/\/h?a=b\u0026token=token_secret",` +
			`"http://h/hooks/token_secret-token_secret#token_secret"]`},
		"on the border of a path": {company, "", "/" + strings.Repeat("x", 1020) + company, "", "", ""},
	} {
		t.Run(about, func(t *testing.T) {
			redactor := redactorOf(c.company, c.authorization)
			entry := journal.Entry{Credentials: redactor.Names()}
			entry.SetTarget(c.path, c.query, redactor)
			entry.SetAgent(c.agent, redactor)
			entry.SetBody([]byte(c.body), redactor, seed)
			data := must.Get(json.Marshal(entry))(t)
			for _, secret := range []string{company, token} {
				if strings.Contains(strings.NewReplacer("%25255F", "_", "%255F", "_", "%5F", "_", "%5f", "_", "%72", "r", "%6F", "o", "%74",
					"t").Replace(string(data)), secret) || strings.Contains(string(data), secret[:6]) && !strings.HasPrefix(about, "where") {
					t.Errorf("%s is in the entry: %s", secret, data)
				}
			}
		})
	}
}

// redactorOf is the redactor of a request with the headers of the specification; empty ones are not sent.
func redactorOf(company, authorization string) journal.Redactor {
	known := journal.NewHeaders(journal.Header{Name: "X-Authorization"}, journal.Header{Name: "Authorization", Scheme: true})
	sent := map[string][]string{"X-Authorization": {company}}
	if authorization != "" {
		sent["Authorization"] = []string{authorization}
	}
	return known.Redactor(sent)
}

func TestRedactorNames(t *testing.T) {
	for _, c := range [][3]string{{"", "", ""}, {"a", "", "X-Authorization"}, {"", "Bearer b", "Authorization"},
		{"a", "b", "Authorization X-Authorization"}, {" ", " ", ""}, {"", "Bearer", "Authorization"}} {
		must.Equal(t, strings.Join(redactorOf(c[0], c[1]).Names(), " "), c[2], "%q, %q", c[0], c[1])
	}
}

// TestWhatIsKept: what is not secret stays as it was sent.
func TestWhatIsKept(t *testing.T) {
	redactor := redactorOf("abc", "Bearer abc") // too short to be looked for
	var entry journal.Entry
	entry.SetTarget("/abc", "a=b&&c&expires=2026-03-15T12%3A00%3A00Z&=x", redactor)
	entry.SetBody([]byte("abc\xff"), redactor, maphash.MakeSeed())
	if entry.Path != "/abc" || entry.Query != "a=b&&c&expires=2026-03-15T12%3A00%3A00Z&=x" || entry.Body() != "abc\uFFFD" ||
		entry.RequestBytes != 4 {
		t.Errorf("got %+v", entry)
	}
}

// TestEntriesAreBounded: whatever a client sends, it does not fill the memory.
func TestEntriesAreBounded(t *testing.T) {
	const huge = 1 << 20
	redactor := redactorOf("", "")
	var entry journal.Entry
	entry.SetTarget(strings.Repeat("ä", huge), strings.Repeat("q", huge), redactor)
	entry.SetAgent(strings.Repeat("a", huge), redactor)
	entry.SetBody(make([]byte, huge), redactor, maphash.MakeSeed())
	entry.SetKey(strings.Repeat("k", huge))
	entry.SetError(&journal.Refusal{Message: strings.Repeat("m", huge)}, redactor)
	data, err := json.Marshal(entry)
	if err != nil || len(data) > 20_000 {
		t.Errorf("an entry of %d bytes, %v", len(data), err)
	}
	if entry.SetError(nil, redactor); entry.Error != nil {
		t.Error("no refusal is one")
	}
}

// FuzzEntry: whatever is sent, an entry is small, valid UTF-8, and without the token.
func FuzzEntry(f *testing.F) {
	f.Add("/1.0/x/export", "a=b&signature=c", "agent", "{}", "token_secret")
	f.Add("/token_secret", "%74oken=%zz&&=", "\xff", strings.Repeat("ä", 600), "token_secret")
	f.Add(strings.Repeat("%", 2000), strings.Repeat("&", 2000), strings.Repeat("\xf0", 300), "token_secrettoken_secret", "token_secret")
	seed := maphash.MakeSeed()
	f.Fuzz(func(t *testing.T, path, query, agent, body, token string) {
		redactor := redactorOf("", "Bearer "+token)
		var entry journal.Entry
		entry.SetTarget(path, query, redactor)
		entry.SetAgent(agent, redactor)
		entry.SetBody([]byte(body), redactor, seed)
		for _, text := range []string{entry.Path, entry.Query, entry.UserAgent, entry.Body()} {
			if len(text) > 3*1024+16 || !utf8.ValidString(text) {
				t.Errorf("%d bytes, valid %v", len(text), utf8.ValidString(text))
			}
			if token := strings.TrimSpace(token); len(token) >= 6 && strings.Contains(text, token) && !strings.Contains(journal.Redacted, token) {
				t.Errorf("%q is in %q", token, text)
			}
		}
		if values, err := url.ParseQuery(query); err == nil && values.Get("signature") != "" {
			kept, _ := url.ParseQuery(entry.Query)
			if got := kept.Get("signature"); got != "" && !strings.HasPrefix(got, "[") {
				t.Errorf("the signature of %q is in %q", query, entry.Query)
			}
		}
	})
}

// FuzzParseFilter: a filter that is accepted can be used.
func FuzzParseFilter(f *testing.F) {
	f.Add("4xx", "12", "/files/*")
	f.Add("xx", "-1", "*")
	f.Fuzz(func(t *testing.T, status, since, path string) {
		filter, err := journal.ParseFilter(map[string]string{"status": status, "since": since, "path": path})
		if err != nil {
			return
		}
		j := journal.New(1, 1<<30)
		j.Record(&journal.Entry{Status: 404, Path: path})
		if j.Count(filter) > 1 {
			t.Error("counted an entry twice")
		}
	})
}
