package actions_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/actions"
	"github.com/rehearsal-sdk/rehearsal/actions/actionstest"
)

func linkRegistry(tb testing.TB, platform actions.Platform, rules func(string) string) *actions.Registry {
	tb.Helper()
	return actions.New(actions.Options{Host: actionstest.NewHost(platform, "").Capabilities(), RefuseLink: rules})
}

func opens(r *actions.Registry, url string) bool {
	return r.Perform("service.deeplink", actions.Arguments{"l": url}).Performed()
}

func TestLinkRules(t *testing.T) {
	rules, err := actions.LinkRules("shop:", "https://Example.com", "https://*.example.org", "https://docs.example.net/guide/", "javascript:")
	if err != nil {
		t.Fatal(err)
	}
	for url, want := range map[string]bool{
		"shop:":                                     true,
		"SHOP://cart?x":                             true,
		" sh\top:x":                                 true,
		"shops:x":                                   false,
		"https://example.com":                       true,
		"https://EXAMPLE.com/a?b#c":                 true,
		"HTTPS:\\\\example.com\\a":                  true,
		"https:example.com":                         false,
		"https:/example.com":                        false,
		"https:\\example.com":                       false,
		"https:////example.com/x":                   true,
		"https://example.com:8443/x":                true,
		"https://example.com?x":                     true,
		"https://example.com#x":                     true,
		"http://example.com":                        false,
		"https://www.example.com":                   false,
		"https://example.com.evil.org":              false,
		"https://evil.org/example.com":              false,
		"https://evil.org?example.com":              false,
		"https://example.com@evil.org":              false,
		"https://user@example.com":                  false,
		"https://evil.org\\@example.com":            false,
		"https://evil.org#@example.com":             false,
		"https://example.com:80:80":                 false,
		"https://example.com:x":                     false,
		"https://ex%61mple.com":                     false,
		"https://ｅxample.com":                       false,
		"https://exa\nmple.com":                     true,
		"https://":                                  false,
		"https:":                                    false,
		"https://a.example.org":                     true,
		"https://a.b.Example.org/x":                 true,
		"https://example.org":                       false,
		"https://evilexample.org":                   false,
		"https://docs.example.net/guide/":           true,
		"https://docs.example.net/guide/a/b?c=../d": true,
		"https://docs.example.net/guide":            false,
		"https://docs.example.net/guides":           false,
		"https://docs.example.net/guide/../x":       false,
		"https://docs.example.net/guide/%2e%2e/x":   false,
		"https://docs.example.net/guide/..\\x":      false,
		"/relative":                                 false,
		"//example.com":                             false,
		"example.com":                               false,
		"":                                          false,
		"javascript:alert(1)":                       false,
	} {
		if got := opens(linkRegistry(t, actions.PlatformWeb, rules), url); got != want {
			t.Errorf("%q is opened: %v", url, got)
		}
	}
	if !opens(linkRegistry(t, actions.PlatformAndroid, rules), "javascript:x") {
		t.Error("a listed scheme is refused on a platform without a gate of its own")
	}

	r := linkRegistry(t, actions.PlatformIOS, rules)
	want := `service.deeplink: argument "l" is "tel:5", the allowed links are "shop:", "https://Example.com", "https://*.example.org", "https://docs.example.net/guide/", "javascript:"`
	if got := r.Perform("service.deeplink", actions.Arguments{"l": "tel:5"}); got.Status != actions.StatusInvalidArguments ||
		got.Message != want {
		t.Errorf("got  %+v\nwant %s", got, want)
	}
	none, err := actions.LinkRules()
	hold(t, err == nil && !opens(linkRegistry(t, actions.PlatformIOS, none), "shop:x"), "an empty list allows a link (%v)", err)
}

func TestLinkRulesThatCannotBe(t *testing.T) {
	for _, entry := range []string{"", "example.com", "//example.com", "https:x", "https://", "https://user@example.com",
		"https://example.com:80", "https://*", "https://exa mple.com", "https://*.*.com"} {
		if _, err := actions.LinkRules("shop:", entry); actions.CodeOf(err) != "invalid_link_rule" || !strings.Contains(err.Error(), entry) {
			t.Errorf("%q: %v", entry, err)
		}
	}
}

// FuzzLinkGate compares the gate with the rule of the URL standard, written as two expressions.
func FuzzLinkGate(f *testing.F) {
	for _, seed := range []string{"javascript:x", " \x00JAVA\nSCRIPT:", "data", "https://example.com", "blob:x", "\ufefffile:x", "vbscript\t:",
		"CONTENT:x", "file\x00:"} {
		f.Add(seed)
	}
	nothing := regexp.MustCompile(`[\t\n\r]`)
	executable := regexp.MustCompile(`^[\x00-\x20]*(?i:javascript|data|vbscript|file|blob):`)
	content := regexp.MustCompile(`^[\x00-\x20]*(?i:content):`)
	f.Fuzz(func(t *testing.T, url string) {
		if url == "" {
			return
		}
		want := !executable.MatchString(nothing.ReplaceAllString(url, ""))
		if strings.ContainsAny(url, "ſK") { // Go folds these to s and k, browsers do not
			return
		}
		if got := opens(linkRegistry(t, actions.PlatformWeb, nil), url); got != want {
			t.Fatalf("%q is opened: %v, want %v", url, got, want)
		}
		want = want && !content.MatchString(nothing.ReplaceAllString(url, ""))
		if got := opens(linkRegistry(t, actions.PlatformIOS, nil), url); got != want {
			t.Fatalf("%q is opened on iOS: %v, want %v", url, got, want)
		}
	})
}
