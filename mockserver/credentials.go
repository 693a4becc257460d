package mockserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/auth"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/demo"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pages"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Credentials are the keys a server accepts (export API section 5). An
// application key is a segment of a path: at most 255 bytes of UTF-8 that can
// be printed, without slashes. All others stand in headers: visible ASCII
// characters, and in keys blanks between them. As JSON:
//
//	{"companies": [{
//	  "key": "rest_demo",
//	  "plan": "enterprise",
//	  "applications": [{"key": "live_demo", "environment": "live"},
//	                   {"key": "dev_demo", "environment": "dev"}],
//	  "projects": [{"key": "project_demo", "tokens": ["token_demo"]}]
//	}]}
type Credentials struct {
	// Any accepts every credential that is not empty.
	Any bool `json:"any,omitempty"`
	// Companies hold keys that belong together.
	Companies []Company `json:"companies"`
}

// Company is the holder of a REST API key.
type Company struct {
	// Key is the company REST API key, of the header X-Authorization.
	Key string `json:"key"`
	// Plan is "enterprise" (also when empty), or any other name: then creating
	// an export is refused with API_MISUSE.
	Plan string `json:"plan,omitempty"`
	// Applications are the keys that may stand in a legacy path.
	Applications []Application `json:"applications,omitempty"`
	// Projects are the projects of the profile interface.
	Projects []Project `json:"projects,omitempty"`
}

// Application is an application of a company.
type Application struct {
	// Key is the application API key.
	Key string `json:"key"`
	// Environment is "live" (also when empty) or "dev".
	Environment string `json:"environment,omitempty"`
}

// Project is a project of the profile interface.
type Project struct {
	// Key is the project key, of the header X-Service-Project.
	Key string `json:"key"`
	// Tokens are the bearer tokens that open the project, at least one.
	Tokens []string `json:"tokens"`
}

const planEnterprise = "enterprise"

// DemoCredentials are the keys used throughout the documentation.
func DemoCredentials() Credentials {
	return Credentials{Companies: []Company{{
		Key: demo.CompanyKey, Plan: planEnterprise,
		Applications: []Application{{Key: demo.LiveKey, Environment: "live"}, {Key: demo.DevKey, Environment: "dev"}},
		Projects:     []Project{{Key: demo.ProjectKey, Tokens: []string{demo.Token}}},
	}}}
}

// ParseCredentials reads credentials from JSON. Unknown members and anything
// that could not be used are errors that name the place.
func ParseCredentials(data []byte) (Credentials, error) {
	if _, err := schemas.Decode(data); err != nil {
		return Credentials{}, fmt.Errorf("not valid JSON: %w", err)
	}
	var credentials Credentials
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&credentials); err != nil {
		return Credentials{}, explainDecode(err)
	}
	if _, err := credentials.keys(); err != nil {
		return Credentials{}, err
	}
	return credentials, nil
}

// explainDecode says where a value has the wrong type, in the terms of the file.
func explainDecode(err error) error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return fmt.Errorf("%s must not be a %s", wrong.Field, wrong.Value)
	}
	if name, found := strings.CutPrefix(err.Error(), "json: unknown field "); found {
		return fmt.Errorf("the member %s is not known; allowed: any, companies, and in a company key, plan, applications (key, environment), projects (key, tokens)", name)
	}
	return err
}

// keys checks the credentials and prepares them for lookups.
func (c Credentials) keys() (*auth.Keys, error) {
	keys := auth.NewKeys()
	keys.Any, keys.Printed = c.Any, demo.LiveKey
	if len(c.Companies) == 0 && !c.Any {
		return nil, errors.New("companies is empty; give at least one company, or any: true")
	}
	seen := map[string]string{}
	check := func(place, key string) error {
		if at := strings.IndexFunc(key, func(char rune) bool { return char < ' ' || char > '~' }); at >= 0 && !strings.Contains(place, ".applications[") {
			return fmt.Errorf("%s is %q; a key that stands in a header has visible ASCII characters only", place, key)
		}
		if strings.TrimSpace(key) == "" || strings.TrimSpace(key) != key {
			return fmt.Errorf("%s is %q; a key must not be empty and must not begin or end with a blank", place, key)
		}
		if other, twice := seen[key]; twice {
			return fmt.Errorf("%s repeats the key of %s", place, other)
		}
		seen[key] = place
		return nil
	}
	for i, company := range c.Companies {
		place := fmt.Sprintf("companies[%d]", i)
		if err := check(place+".key", company.Key); err != nil {
			return nil, err
		}
		added := keys.AddCompany(company.Key, company.Plan == "" || company.Plan == planEnterprise)
		for j, application := range company.Applications {
			place := fmt.Sprintf("%s.applications[%d]", place, j)
			if err := check(place+".key", application.Key); err != nil {
				return nil, err
			}
			if fault := exports.SegmentFault(application.Key); fault != "" {
				return nil, fmt.Errorf("%s.key is %q, which %s; an application key is a segment of a path", place, application.Key, fault)
			}
			if application.Environment != "" && application.Environment != "live" && application.Environment != "dev" {
				return nil, fmt.Errorf("%s.environment is %q; allowed: live, dev", place, application.Environment)
			}
			added.AddApplication(application.Key, application.Environment != "dev")
		}
		for j, project := range company.Projects {
			place := fmt.Sprintf("%s.projects[%d]", place, j)
			if err := check(place+".key", project.Key); err != nil {
				return nil, err
			}
			if len(project.Tokens) == 0 {
				return nil, fmt.Errorf("%s.tokens is empty; give at least one bearer token", place)
			}
			for k, token := range project.Tokens {
				if token == "" || strings.ContainsFunc(token, func(char rune) bool { return char <= ' ' || char > '~' }) {
					return nil, fmt.Errorf("%s.tokens[%d] is %q; a token must not be empty and has visible ASCII characters only, no blanks", place, k, token)
				}
			}
			keys.AddProject(added, project.Key, project.Tokens)
		}
	}
	return keys, nil
}

// example chooses what the landing page shows. Keys other than the demo keys
// are nobody's business: the page shows placeholders for them.
func (c Credentials) example() pages.Example {
	for _, company := range c.Companies {
		if company.Key != demo.CompanyKey && !c.Any {
			return pages.Example{Company: "COMPANY_KEY", Application: "APPLICATION_KEY", Project: "PROJECT_KEY", Token: "TOKEN"}
		}
	}
	return pages.Example{Company: demo.CompanyKey, Application: demo.LiveKey, Project: demo.ProjectKey, Token: demo.Token}
}
