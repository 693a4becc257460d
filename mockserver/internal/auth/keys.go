package auth

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
)

// Keys knows which credentials are accepted and what they stand for (export API section 5). Build it once, then only read it.
//
// See docs/explanation/specification.md#how-are-credentials-issued-and-what-does-project-level-authentication-check
type Keys struct {
	// Any accepts every non-empty credential, on the enterprise plan.
	Any bool
	// Printed is the application key in the files of a project whose company has no application, or is not known.
	Printed string

	// owners are the keys with which exports are made, as they are known to the person who controls the server.
	owners []string
	owned  keyring[struct{}]
	// secrets are the company keys and the bearer tokens.
	secrets   keyring[struct{}]
	companies keyring[*Company]
	projects  keyring[*Project]
	// holders are the projects by their tokens, for interfaces whose requests name none.
	holders keyring[*Project]
	// shared is the error of a token of two projects.
	shared error
}

// Company is the holder of a REST API key.
type Company struct {
	keys         *Keys
	enterprise   bool
	applications keyring[struct{}]
	firstLive    string // printed in files that name an application but are asked for by project
}

// Project is the holder of a project key and its bearer tokens.
type Project struct {
	key     string
	company *Company
	tokens  keyring[struct{}]
}

// NewKeys returns an empty set of credentials.
func NewKeys() *Keys {
	return &Keys{owned: keyring[struct{}]{}, secrets: keyring[struct{}]{}, companies: keyring[*Company]{}, projects: keyring[*Project]{},
		holders: keyring[*Project]{}}
}

// AddCompany adds a REST API key. Only companies on the enterprise plan may create exports.
func (k *Keys) AddCompany(key string, enterprise bool) *Company {
	company := &Company{keys: k, enterprise: enterprise, applications: keyring[struct{}]{}}
	k.companies.add(key, company)
	k.secrets.add(key, struct{}{})
	return company
}

// AddApplication adds an application key (live or dev) to a company.
func (c *Company) AddApplication(key string, live bool) {
	c.applications.add(key, struct{}{})
	c.keys.own(key)
	if live && c.firstLive == "" {
		c.firstLive = key
	}
}

// AddProject adds a project key and the bearer tokens that open it.
func (k *Keys) AddProject(company *Company, key string, tokens []string) {
	project := &Project{key: key, company: company, tokens: keyring[struct{}]{}}
	for _, token := range tokens {
		project.tokens.add(token, struct{}{})
		if other, known := k.holders.get(token); known && other != project {
			k.shared = fmt.Errorf("a token of the project %q opens the project %q too", key, other.key)
		}
		k.holders.add(token, project)
		k.secrets.add(token, struct{}{})
	}
	k.projects.add(key, project)
	k.own(key)
}

// Check refuses a token of two projects where requests of an interface carry a token alone.
func (k *Keys) Check(its exports.Interface) error {
	if alone := its.KeyVariable == "" && its.Headers.Project == "" && !its.Headers.Basic(); !alone || k.Any || k.shared == nil {
		return nil
	}
	return fmt.Errorf("%w, and requests of the interface %s carry a token alone, which has to say the project: give each its own",
		k.shared, its.Name)
}

func (k *Keys) own(key string) {
	k.owners = append(k.owners, key)
	k.owned.add(key, struct{}{})
}

// Owns tells whether exports can be made with a key: an application key or a project key.
func (k *Keys) Owns(key string) bool {
	if k.Any {
		return exports.SegmentFault(key) == ""
	}
	return k.owned.has(key)
}

// Owners are the application keys and project keys, in the order in which they were added.
func (k *Keys) Owners() []string { return k.owners }

// IsSecret tells whether a text is a company key or a bearer token, no matter who sent it.
func (k *Keys) IsSecret(text string) bool { return k.secrets.has(text) }

// Caller is who sent a request.
type Caller struct {
	// Owner is the application key or project key: exports are visible only with the key that made them.
	Owner string
	// APIKey is the application key that files print.
	APIKey string
	// Enterprise is the plan that may create exports (export API section 1).
	Enterprise bool
}

// Application checks the credentials of an interface whose paths name an
// application: the company key in a header, the application key in the path.
func (k *Keys) Application(header http.Header, its exports.Headers, apiKey string) (Caller, error) {
	key, refusal := credential(header, its, "the company REST API key", "KEY")
	if refusal != nil {
		return Caller{}, refusal
	}
	if k.Any {
		return Caller{Owner: apiKey, APIKey: apiKey, Enterprise: true}, nil
	}
	company, ok := k.companies.get(key)
	if !ok {
		return Caller{}, exports.Refuse(exports.AuthenticationInvalid,
			"the header %s carries a company REST API key that is not known; the accepted keys are printed when the server starts", its.Credential)
	}
	if !company.applications.has(apiKey) {
		return Caller{}, exports.Refuse(exports.AuthenticationInvalid,
			"the path carries an application API key that is not one of this company's; use its live or dev key")
	}
	return Caller{Owner: apiKey, APIKey: apiKey, Enterprise: company.enterprise}, nil
}

// Project checks the credentials of an interface whose headers name a project: a token, and the project key in a header of its own, or
// beside the token (Basic), or nowhere: then a token opens one project.
func (k *Keys) Project(header http.Header, its exports.Headers) (Caller, error) {
	caller, refusal, detail := k.projectCaller(header, its)
	if refusal != nil {
		return Caller{}, Challenged(refusal, its, detail)
	}
	return caller, nil
}

// projectCaller is who calls, or a refusal and what the challenge adds to it.
func (k *Keys) projectCaller(header http.Header, its exports.Headers) (_ Caller, refusal *exports.Refusal, detail string) {
	token, refusal := credential(header, its, its.Token(), "token")
	if refusal != nil {
		return Caller{}, refusal, ""
	}
	key, holder := "", its.Project
	switch {
	case its.Basic():
		holder = its.Credential
		if key, token, refusal = pair(its, token); refusal != nil {
			return Caller{}, refusal, ""
		}
	case its.Project == "" && k.Any:
		key = fmt.Sprintf("token-%.8x", sha256.Sum256([]byte(token)))
	case its.Project == "":
		project, known := k.holders.get(token)
		if !known {
			return Caller{}, exports.Refuse(exports.AuthenticationInvalid,
				"the header %s carries a token that is not known; the accepted ones are printed when the server starts", its.Credential), invalidToken
		}
		key = project.key
	default:
		if key, refusal = only(header, its.Project, "the project key"); refusal != nil {
			return Caller{}, refusal, ""
		}
	}
	if k.Any {
		return Caller{Owner: key, APIKey: k.Printed, Enterprise: true}, nil, ""
	}
	project, ok := k.projects.get(key)
	if !ok {
		return Caller{}, exports.Refuse(exports.AuthenticationInvalid,
			"the header %s carries a project key that is not known; the accepted keys are printed when the server starts", holder), ""
	}
	if !project.tokens.has(token) {
		return Caller{}, exports.Refuse(exports.AuthenticationInvalid, "%s of the header %s does not open this project",
			strings.Replace(its.Token(), "a ", "the ", 1), its.Credential), invalidToken
	}
	apiKey := project.company.firstLive
	if apiKey == "" {
		apiKey = k.Printed
	}
	return Caller{Owner: key, APIKey: apiKey, Enterprise: project.company.enterprise}, nil, ""
}

// invalidToken says in a challenge that the token is not one (RFC 6750, section 3.1).
const invalidToken = `, error="invalid_token"`

// pair reads the key of a project and its token out of a basic credential (RFC 7617).
func pair(its exports.Headers, sent string) (key, token string, refusal *exports.Refusal) {
	text, err := base64.StdEncoding.DecodeString(sent)
	key, token, both := strings.Cut(string(text), ":")
	if err != nil || !both || exports.SegmentFault(key) != "" {
		return "", "", exports.Refuse(exports.AuthenticationInvalid,
			"the header %s must carry %s and, in base64, the project key, a colon and the token", its.Credential, its.Scheme)
	}
	return key, token, nil
}

// Challenged adds what a refused client of an interface is told in the header WWW-Authenticate. An interface without a word before the
// token has no scheme that a challenge could name.
func Challenged(refusal *exports.Refusal, its exports.Headers, detail string) error {
	if its.Scheme == "" {
		return refusal
	}
	return httpd.WithHeader(refusal, "WWW-Authenticate", its.Scheme+` realm="exports"`+detail)
}

// credential reads the header of an interface that carries a key or a token.
func credential(header http.Header, its exports.Headers, what, example string) (string, *exports.Refusal) {
	if its.Scheme == "" {
		return only(header, its.Credential, what)
	}
	value, refusal := only(header, its.Credential, what, its.Scheme, example)
	if refusal != nil {
		return "", refusal
	}
	scheme, secret, _ := strings.Cut(value, " ")
	if secret = strings.TrimSpace(secret); !strings.EqualFold(scheme, its.Scheme) || secret == "" {
		return "", exports.Refuse(exports.AuthenticationInvalid, "the header %s must carry %s: %s <%s>", its.Credential, what, its.Scheme,
			example)
	}
	return secret, nil
}

// only reads a header that must be there exactly once and not be blank. form is the word before it and an example, if there is a word.
func only(header http.Header, name, what string, form ...string) (string, *exports.Refusal) {
	values := header.Values(name)
	if len(values) > 1 {
		return "", exports.Refuse(exports.AuthenticationInvalid, "the header %s is given %d times; send it once", name, len(values))
	}
	if len(values) == 0 || strings.TrimSpace(values[0]) == "" {
		if len(form) > 0 {
			what += " (" + form[0] + " <" + form[1] + ">)"
		}
		return "", exports.Refuse(exports.AuthenticationInvalid, "the header %s is missing; it carries %s", name, what)
	}
	return strings.TrimSpace(values[0]), nil
}
