package mockserver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/auth"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/demo"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Credentials are the keys a server accepts (export API section 5). An application key is a segment of a path: at most 255 bytes of UTF-8
// that can be printed, without slashes. All others stand in headers: visible ASCII characters, and in keys blanks between them. As JSON:
//
//	{"companies": [{
//	  "key": "rest_demo",
//	  "plan": "enterprise",
//	  "applications": [{"key": "live_demo", "environment": "live"},
//	                   {"key": "dev_demo", "environment": "dev"}],
//	  "projects": [{"key": "project_demo", "tokens": ["token_demo"]}]
//	}]}
//
// Company keys and tokens never print themselves.
type Credentials struct {
	// Any accepts every credential that is not empty.
	Any bool `json:"any,omitempty"`
	// Companies hold keys that belong together.
	Companies []Company `json:"companies,omitempty"`
}

// Company is the holder of a REST API key.
type Company struct {
	// Key is the company REST API key, of the header X-Authorization.
	Key Secret `json:"key"`
	// Plan is "enterprise" (also when empty), or any other name: then creating an export is refused with API_MISUSE.
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
	Tokens []Secret `json:"tokens,omitempty"`
}

const planEnterprise = "enterprise"

// DemoCredentials are the keys used throughout the documentation.
func DemoCredentials() Credentials {
	return Credentials{Companies: []Company{{
		Key: demo.CompanyKey, Plan: planEnterprise,
		Applications: []Application{{Key: demo.LiveKey, Environment: "live"}, {Key: demo.DevKey, Environment: "dev"}},
		Projects:     []Project{{Key: demo.ProjectKey, Tokens: []Secret{demo.Token}}},
	}}}
}

// credentialsSchema describes credentials; keys are compared with each other here.
const credentialsSchema = "mock/credentials.json"

// ParseCredentials reads credentials from JSON. Unknown members and anything that could not be used are errors that name the place. A
// member $schema is for editors.
func ParseCredentials(data []byte) (Credentials, error) {
	value, err := schemas.Decode(data)
	if err != nil {
		return Credentials{}, fmt.Errorf("not valid JSON: %w", err)
	}
	if err := schemas.Validate(credentialsSchema, value); err != nil {
		return Credentials{}, located(data, err)
	}
	var credentials Credentials
	if err := json.Unmarshal(data, &credentials); err != nil {
		return Credentials{}, err
	}
	_, err = credentials.keys()
	return credentials, err
}

// located says of the problems of a file in which lines they are.
func located(data []byte, err error) error {
	var invalid *schemas.InvalidError
	if !errors.As(err, &invalid) {
		return err
	}
	var lines []string
	for _, problem := range invalid.Problems {
		line := 1 + bytes.Count(data[:problem.Offset(data)], []byte("\n"))
		lines = append(lines, fmt.Sprintf("line %d: %s", line, problem.Message))
	}
	return errors.New(strings.Join(lines, "; "))
}

// keys checks the credentials and prepares them for lookups.
func (c Credentials) keys() (*auth.Keys, error) {
	if !reflect.DeepEqual(c.Companies, DemoCredentials().Companies) { // which a test holds to the schema
		if err := schemas.Validate(credentialsSchema, c.revealed()); err != nil {
			return nil, err
		}
	}
	keys := auth.NewKeys()
	keys.Any, keys.Printed = c.Any, demo.LiveKey
	seen := map[string]string{}
	check := func(place, key string) error {
		if other, twice := seen[key]; twice {
			return fmt.Errorf("%s repeats the key of %s", place, other)
		}
		seen[key] = place
		return nil
	}
	for i, company := range c.Companies {
		place := fmt.Sprintf("companies[%d]", i)
		if err := check(place+".key", company.Key.Reveal()); err != nil {
			return nil, err
		}
		added := keys.AddCompany(company.Key.Reveal(), company.Plan == "" || company.Plan == planEnterprise)
		for j, application := range company.Applications {
			place := fmt.Sprintf("%s.applications[%d].key", place, j)
			if err := check(place, application.Key); err != nil {
				return nil, err
			}
			if fault := exports.SegmentFault(application.Key); fault != "" {
				return nil, fmt.Errorf("%s is %q, which %s; an application key is a segment of a path", place, application.Key, fault)
			}
			added.AddApplication(application.Key, application.Environment != "dev")
		}
		for j, project := range company.Projects {
			if err := check(fmt.Sprintf("%s.projects[%d].key", place, j), project.Key); err != nil {
				return nil, err
			}
			keys.AddProject(added, project.Key, revealed(project.Tokens))
		}
	}
	return keys, nil
}

// revealed is what a schema checks.
func (c Credentials) revealed() any {
	type project struct {
		Key    string   `json:"key"`
		Tokens []string `json:"tokens,omitempty"`
	}
	type company struct {
		Key          string        `json:"key"`
		Plan         string        `json:"plan,omitempty"`
		Applications []Application `json:"applications,omitempty"`
		Projects     []project     `json:"projects,omitempty"`
	}
	companies := make([]company, len(c.Companies))
	for i, each := range c.Companies {
		companies[i] = company{Key: each.Key.Reveal(), Plan: each.Plan, Applications: each.Applications}
		for _, owned := range each.Projects {
			companies[i].Projects = append(companies[i].Projects, project{owned.Key, revealed(owned.Tokens)})
		}
	}
	return struct {
		Any       bool      `json:"any,omitempty"`
		Companies []company `json:"companies,omitempty"`
	}{c.Any, companies}
}

func revealed(secrets []Secret) []string {
	texts := make([]string, len(secrets))
	for i, secret := range secrets {
		texts[i] = secret.Reveal()
	}
	return texts
}
