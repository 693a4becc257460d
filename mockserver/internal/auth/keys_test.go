package auth_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/auth"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

const companyHeader, tokenHeader, projectHeader = "X-Authorization", "Authorization", "X-Service-Project"

func headers(pairs ...string) http.Header {
	h := http.Header{}
	for i := 0; i < len(pairs); i += 2 {
		h[pairs[i]] = append(h[pairs[i]], pairs[i+1])
	}
	return h
}

func demoKeys() *auth.Keys {
	keys := auth.NewKeys()
	keys.Printed = "live_printed"
	company := keys.AddCompany("rest_demo", true)
	company.AddApplication("dev_demo", false)
	company.AddApplication("live_demo", true)
	keys.AddProject(company, "project_demo", []string{"token_demo"})
	keys.AddProject(company, "project_other", []string{"token_other"})
	small := keys.AddCompany("rest_small", false)
	small.AddApplication("live_small", true)
	keys.AddProject(small, "project_small", []string{"token_small"})
	keys.AddProject(keys.AddCompany("rest_empty", true), "project_empty", []string{"token_empty"})
	return keys
}

// TestLegacyCredentials has one row for every way the company key can be wrong.
func TestLegacyCredentials(t *testing.T) {
	live := auth.Caller{Owner: "live_demo", APIKey: "live_demo", Enterprise: true}
	for _, c := range []struct {
		about  string
		apiKey string
		header http.Header
		caller auth.Caller
		says   string
	}{
		{"company and live key", "live_demo", headers(companyHeader, "rest_demo"), live, ""},
		{"company and dev key", "dev_demo", headers(companyHeader, "rest_demo"),
			auth.Caller{Owner: "dev_demo", APIKey: "dev_demo", Enterprise: true}, ""},
		{"blanks around the key", "live_demo", headers(companyHeader, " rest_demo "), live, ""},
		{"no header", "live_demo", headers(), auth.Caller{}, "X-Authorization is missing"},
		{"blank header", "live_demo", headers(companyHeader, "  "), auth.Caller{}, "X-Authorization is missing"},
		{"unknown company key", "live_demo", headers(companyHeader, "rest_demo2"), auth.Caller{}, "not known"},
		{"a prefix of the key", "live_demo", headers(companyHeader, "rest_dem"), auth.Caller{}, "not known"},
		{"header given twice", "live_demo", headers(companyHeader, "rest_demo", companyHeader, "rest_demo"), auth.Caller{}, "2 times"},
		{"unknown application key", "live_nobody", headers(companyHeader, "rest_demo"), auth.Caller{}, "application API key"},
		{"application of another company", "live_small", headers(companyHeader, "rest_demo"), auth.Caller{}, "application API key"},
		{"profile credentials", "live_demo", headers(tokenHeader, "Bearer token_demo", projectHeader, "project_demo"), auth.Caller{},
			"X-Authorization"},
		{"plan without exports", "live_small", headers(companyHeader, "rest_small"), auth.Caller{Owner: "live_small", APIKey: "live_small"}, ""},
	} {
		t.Run(c.about, func(t *testing.T) {
			caller, err := demoKeys().Application(c.header, exports.Legacy().Headers, c.apiKey)
			compare(t, caller, c.caller, err, c.says)
		})
	}
}

// TestProfileCredentials has one row for every way a token can be wrong.
func TestProfileCredentials(t *testing.T) {
	demo := auth.Caller{Owner: "project_demo", APIKey: "live_demo", Enterprise: true}
	for _, c := range []struct {
		about  string
		header http.Header
		caller auth.Caller
		says   string
	}{
		{"token and project", headers(tokenHeader, "Bearer token_demo", projectHeader, "project_demo"), demo, ""},
		{"bearer in lower case", headers(tokenHeader, "bearer token_demo", projectHeader, "project_demo"), demo, ""},
		{"a company without applications", headers(tokenHeader, "Bearer token_empty", projectHeader, "project_empty"),
			auth.Caller{Owner: "project_empty", APIKey: "live_printed", Enterprise: true}, ""},
		{"no token", headers(projectHeader, "project_demo"), auth.Caller{}, "Authorization is missing"},
		{"no scheme", headers(tokenHeader, "token_demo", projectHeader, "project_demo"), auth.Caller{}, "Bearer <token>"},
		{"another scheme", headers(tokenHeader, "Basic token_demo", projectHeader, "project_demo"), auth.Caller{}, "Bearer <token>"},
		{"scheme alone", headers(tokenHeader, "Bearer ", projectHeader, "project_demo"), auth.Caller{}, "Bearer <token>"},
		{"no project", headers(tokenHeader, "Bearer token_demo"), auth.Caller{}, "X-Service-Project is missing"},
		{"unknown project", headers(tokenHeader, "Bearer token_demo", projectHeader, "project_nobody"), auth.Caller{},
			"project key that is not known"},
		{"unknown token", headers(tokenHeader, "Bearer token_nobody", projectHeader, "project_demo"), auth.Caller{},
			"does not open this project"},
		{"token of another project", headers(tokenHeader, "Bearer token_other", projectHeader, "project_demo"), auth.Caller{},
			"does not open this project"},
		{"plan without exports", headers(tokenHeader, "Bearer token_small", projectHeader, "project_small"),
			auth.Caller{Owner: "project_small", APIKey: "live_small"}, ""},
	} {
		t.Run(c.about, func(t *testing.T) {
			caller, err := demoKeys().Project(c.header, exports.Profiles().Headers)
			compare(t, caller, c.caller, err, c.says)
		})
	}
}

func compare(t *testing.T, caller, want auth.Caller, err error, says string) {
	t.Helper()
	must.Equal(t, caller, want, "the caller")
	var refused *exports.Refusal
	switch {
	case says == "":
		must.Hold(t, err == nil, "refused: %v", err)
	case !errors.As(err, &refused) || refused.Name != exports.AuthenticationInvalid || !strings.Contains(refused.Message, says):
		t.Errorf("%v, want %s with %q", err, exports.AuthenticationInvalid, says)
	}
}
