package api

import (
	"crypto/sha256"
	"net/http"
	"strings"
)

// Keys knows which credentials are accepted and what they stand for (export
// API section 5). Build it once, then only read it.
//
// Keys are looked up by their SHA-256 digest: how long a comparison takes then
// says nothing about the bytes of a key.
type Keys struct {
	// Any accepts every non-empty credential, on the enterprise plan.
	Any bool
	// Printed is the application key in the files of a project whose company
	// has no application, or is not known.
	Printed string

	companies map[digest]*Company
	projects  map[digest]*Project
}

type digest = [sha256.Size]byte

// Company is the holder of a REST API key.
type Company struct {
	enterprise   bool
	applications map[digest]struct{}
	firstLive    string // printed in files that name an application but are asked for by project
}

// Project is the holder of a project key and its bearer tokens.
type Project struct {
	company *Company
	tokens  map[digest]struct{}
}

// NewKeys returns an empty set of credentials.
func NewKeys() *Keys {
	return &Keys{companies: map[digest]*Company{}, projects: map[digest]*Project{}}
}

// AddCompany adds a REST API key. Only companies on the enterprise plan may
// create exports.
func (k *Keys) AddCompany(key string, enterprise bool) *Company {
	company := &Company{enterprise: enterprise, applications: map[digest]struct{}{}}
	k.companies[digestOf(key)] = company
	return company
}

// AddApplication adds an application key (live or dev) to a company.
func (c *Company) AddApplication(key string, live bool) {
	c.applications[digestOf(key)] = struct{}{}
	if live && c.firstLive == "" {
		c.firstLive = key
	}
}

// AddProject adds a project key and the bearer tokens that open it.
func (k *Keys) AddProject(company *Company, key string, tokens []string) {
	project := &Project{company: company, tokens: map[digest]struct{}{}}
	for _, token := range tokens {
		project.tokens[digestOf(token)] = struct{}{}
	}
	k.projects[digestOf(key)] = project
}

// owns tells whether exports can be made with a key: an application key or a
// project key.
func (k *Keys) owns(key string) bool {
	if k.Any {
		return SegmentFault(key) == ""
	}
	wanted := digestOf(key)
	if _, known := k.projects[wanted]; known {
		return true
	}
	for _, company := range k.companies {
		if _, known := company.applications[wanted]; known {
			return true
		}
	}
	return false
}

// isCompany tells whether a text is a company key, whoever sent it.
func (k *Keys) isCompany(key string) bool {
	_, known := k.companies[digestOf(key)]
	return known
}

func digestOf(key string) digest { return sha256.Sum256([]byte(key)) }

// caller is who sent a request.
type caller struct {
	// owner is the application key or project key: exports are visible only
	// with the key that made them.
	owner string
	// apiKey is the application key that files print.
	apiKey     string
	enterprise bool
}

// legacyCaller checks the credentials of the legacy interface: the company key
// in a header, the application key in the path.
func (k *Keys) legacyCaller(header http.Header, apiKey string) (caller, *Error) {
	key, refusal := credential(header, "X-Authorization", "the company REST API key")
	if refusal != nil {
		return caller{}, refusal
	}
	if k.Any {
		return caller{owner: apiKey, apiKey: apiKey, enterprise: true}, nil
	}
	company, ok := k.companies[digestOf(key)]
	if !ok {
		return caller{}, refuse(AuthenticationInvalid, "the header X-Authorization carries a company REST API key that is not known; the accepted keys are printed when the server starts")
	}
	if _, ok := company.applications[digestOf(apiKey)]; !ok {
		return caller{}, refuse(AuthenticationInvalid, "the path carries an application API key that is not one of this company's; use its live or dev key")
	}
	return caller{owner: apiKey, apiKey: apiKey, enterprise: company.enterprise}, nil
}

// profilesCaller checks the credentials of the profile interface: a bearer
// token and the project key, both in headers.
func (k *Keys) profilesCaller(header http.Header) (caller, *Error) {
	authorization, refusal := credential(header, "Authorization", "a bearer token (Bearer <token>)")
	if refusal != nil {
		return caller{}, refusal.with("WWW-Authenticate", challenge)
	}
	scheme, token, _ := strings.Cut(authorization, " ")
	token = strings.TrimSpace(token)
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return caller{}, refuse(AuthenticationInvalid, "the header Authorization must carry a bearer token: Bearer <token>").
			with("WWW-Authenticate", challenge)
	}
	key, refusal := credential(header, "X-Service-Project", "the project key")
	if refusal != nil {
		return caller{}, refusal.with("WWW-Authenticate", challenge)
	}
	if k.Any {
		return caller{owner: key, apiKey: k.Printed, enterprise: true}, nil
	}
	project, ok := k.projects[digestOf(key)]
	if !ok {
		return caller{}, refuse(AuthenticationInvalid, "the header X-Service-Project carries a project key that is not known; the accepted keys are printed when the server starts").
			with("WWW-Authenticate", challenge)
	}
	if _, ok := project.tokens[digestOf(token)]; !ok {
		return caller{}, refuse(AuthenticationInvalid, "the bearer token of the header Authorization does not open this project").
			with("WWW-Authenticate", challenge+`, error="invalid_token"`)
	}
	apiKey := project.company.firstLive
	if apiKey == "" {
		apiKey = k.Printed
	}
	return caller{owner: key, apiKey: apiKey, enterprise: project.company.enterprise}, nil
}

const challenge = `Bearer realm="exports"`

// credential reads a header that must be there exactly once and not be blank.
func credential(header http.Header, name, what string) (string, *Error) {
	values := header.Values(name)
	if len(values) > 1 {
		return "", refuse(AuthenticationInvalid, "the header %s is given %d times; send it once", name, len(values))
	}
	if len(values) == 0 || strings.TrimSpace(values[0]) == "" {
		return "", refuse(AuthenticationInvalid, "the header %s is missing; it carries %s", name, what)
	}
	return strings.TrimSpace(values[0]), nil
}
