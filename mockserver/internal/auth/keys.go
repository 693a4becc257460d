package auth

import (
	"crypto/sha256"
	"net/http"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
)

// Keys knows which credentials are accepted and what they stand for (export
// API section 5). Build it once, then only read it.
//
// Keys are looked up by their SHA-256 digest: how long a comparison takes then
// says nothing about the bytes of a key.
// See docs/explanation/specification.md#how-are-credentials-issued-and-what-does-project-level-authentication-check
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

// Owns tells whether exports can be made with a key: an application key or a
// project key.
func (k *Keys) Owns(key string) bool {
	if k.Any {
		return exports.SegmentFault(key) == ""
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

// IsCompany tells whether a text is a company key, whoever sent it.
func (k *Keys) IsCompany(key string) bool {
	_, known := k.companies[digestOf(key)]
	return known
}

func digestOf(key string) digest { return sha256.Sum256([]byte(key)) }

// Caller is who sent a request.
type Caller struct {
	// Owner is the application key or project key: exports are visible only
	// with the key that made them.
	Owner string
	// APIKey is the application key that files print.
	APIKey string
	// Enterprise is the plan that may create exports (export API section 1).
	Enterprise bool
}

// Legacy checks the credentials of the legacy interface: the company key
// in a header, the application key in the path.
func (k *Keys) Legacy(header http.Header, apiKey string) (Caller, error) {
	key, refusal := credential(header, "X-Authorization", "the company REST API key")
	if refusal != nil {
		return Caller{}, refusal
	}
	if k.Any {
		return Caller{Owner: apiKey, APIKey: apiKey, Enterprise: true}, nil
	}
	company, ok := k.companies[digestOf(key)]
	if !ok {
		return Caller{}, exports.Refuse(exports.AuthenticationInvalid, "the header X-Authorization carries a company REST API key that is not known; the accepted keys are printed when the server starts")
	}
	if _, ok := company.applications[digestOf(apiKey)]; !ok {
		return Caller{}, exports.Refuse(exports.AuthenticationInvalid, "the path carries an application API key that is not one of this company's; use its live or dev key")
	}
	return Caller{Owner: apiKey, APIKey: apiKey, Enterprise: company.enterprise}, nil
}

// Profiles checks the credentials of the profile interface: a bearer token and
// the project key, both in headers.
func (k *Keys) Profiles(header http.Header) (Caller, error) {
	caller, refusal, detail := k.projectCaller(header)
	if refusal != nil {
		return Caller{}, httpd.WithHeader(refusal, "WWW-Authenticate", Challenge+detail)
	}
	return caller, nil
}

// projectCaller is who calls, or a refusal and what the challenge adds to it.
func (k *Keys) projectCaller(header http.Header) (_ Caller, refusal *exports.Refusal, detail string) {
	authorization, refusal := credential(header, "Authorization", "a bearer token (Bearer <token>)")
	if refusal != nil {
		return Caller{}, refusal, ""
	}
	scheme, token, _ := strings.Cut(authorization, " ")
	token = strings.TrimSpace(token)
	if !strings.EqualFold(scheme, "Bearer") || token == "" {
		return Caller{}, exports.Refuse(exports.AuthenticationInvalid, "the header Authorization must carry a bearer token: Bearer <token>"), ""
	}
	key, refusal := credential(header, "X-Service-Project", "the project key")
	if refusal != nil {
		return Caller{}, refusal, ""
	}
	if k.Any {
		return Caller{Owner: key, APIKey: k.Printed, Enterprise: true}, nil, ""
	}
	project, ok := k.projects[digestOf(key)]
	if !ok {
		return Caller{}, exports.Refuse(exports.AuthenticationInvalid, "the header X-Service-Project carries a project key that is not known; the accepted keys are printed when the server starts"), ""
	}
	if _, ok := project.tokens[digestOf(token)]; !ok {
		return Caller{}, exports.Refuse(exports.AuthenticationInvalid, "the bearer token of the header Authorization does not open this project"), `, error="invalid_token"`
	}
	apiKey := project.company.firstLive
	if apiKey == "" {
		apiKey = k.Printed
	}
	return Caller{Owner: key, APIKey: apiKey, Enterprise: project.company.enterprise}, nil, ""
}

// Challenge is what a refused client of the profile interface is told in the
// header WWW-Authenticate.
const Challenge = `Bearer realm="exports"`

// credential reads a header that must be there exactly once and not be blank.
func credential(header http.Header, name, what string) (string, *exports.Refusal) {
	values := header.Values(name)
	if len(values) > 1 {
		return "", exports.Refuse(exports.AuthenticationInvalid, "the header %s is given %d times; send it once", name, len(values))
	}
	if len(values) == 0 || strings.TrimSpace(values[0]) == "" {
		return "", exports.Refuse(exports.AuthenticationInvalid, "the header %s is missing; it carries %s", name, what)
	}
	return strings.TrimSpace(values[0]), nil
}
