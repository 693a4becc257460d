package schemas

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas/dialect"
	"github.com/rehearsal-sdk/rehearsal/schemas/internal/isoduration"
)

// Keywords are the x- keywords of one schema object; vocabulary.json describes each. Callers must not
// change what the maps and slices hold.
type Keywords struct {
	// Source names the world value that a property prints (x-source).
	Source string
	// Role is the role of a member of a request (x-role); "" for the name.
	Role string
	// DateFormat says how a date is written (x-date-format): "local-date-time", or "" for RFC 3339 with Z.
	DateFormat string
	// WireNames maps a requested or neutral name to the one in files (x-wire-names).
	WireNames map[string]string
	// CSV tells how rows are laid out (x-csv).
	CSV *CSV
	// Unasked are the events that files have whichever events a request asks for (x-unasked).
	Unasked []string
	// Journey holds the steps of a message (x-journey).
	Journey []Step
	// Values says how values without a source are drawn.
	Values Values
	// Export is the endpoint that makes files of this schema (x-export).
	Export *Export
	// Endpoints are the further endpoints that answer with this schema (x-endpoints).
	Endpoints []Endpoint
	// States tells that the enum is one of states of exports (x-states).
	States bool
	// RateLimit bounds how often such requests may be made (x-rate-limit).
	RateLimit *RateLimit
	// Status is the HTTP status of an error branch (x-status).
	Status int
}

// Values are the keywords of values that no source gives.
type Values struct {
	// Weights tells how often each value comes, relative to the others (x-weights).
	Weights map[string]float64
	// NullShare is how many values are null or missing, from 0 to 1 (x-null-share); nil: it is not said.
	NullShare *float64
	// Unique says that no two people, installations or events have the same value (x-unique).
	Unique bool
	// Earliest and Latest bound dates (x-earliest, x-latest); zero: no bound is stated.
	Earliest, Latest time.Time
	// AttributeTypes say what values members have whose names no schema lists (x-attribute-types); the first that matches counts.
	AttributeTypes []AttributeType
}

// CSV is the layout of a CSV file.
type CSV struct {
	// Separator is the one character between two cells.
	Separator string `json:"separator"`
	// Columns holds the column names in order. Properties that are not listed come after them, in the order of the schema file.
	Columns []string `json:"columns"`
}

// Step is one event in the journey of a message.
type Step struct {
	// Event is the event type, as files write it.
	Event string
	// After is the step it follows; "" where a message begins.
	After string
	// Rate is the share, from 0 to 1, of messages that reach After and then this step.
	Rate float64
	// Delay is the typical time since After.
	Delay time.Duration
	// Unless names the steps that exclude this one.
	Unless []string
	// Channel is the channel of a message that begins here: email, sms, push or "".
	Channel string
	// Consent is the consent, email or sms, whose withdrawal is this step; else "".
	Consent string
	// Person says that the person does it: Rate is the mean of people who hardly ever do and people who often do.
	Person bool
	// Burst says, of a first step, that messages go out in bursts, not all the time.
	Burst bool
	// Machine is which part of those that reach the step a machine takes to it; the zero value: none.
	Machine Machine
	// Again is how the step comes again to the same message; the zero value: never.
	Again Again
}

// Machine is what machines do, such as a proxy that loads the pictures of e-mails: each step once, and nothing that follows it.
type Machine struct {
	// Share is the part of those that reach the step, from 0 to 1.
	Share float64
	// Delay is the typical time since the step before.
	Delay time.Duration
}

// Again is how a step comes again.
type Again struct {
	// Rate is how many of those that took it take it again, from 0 to 1.
	Rate float64
	// Delay is the typical time since the last time.
	Delay time.Duration
}

// AttributeType is the type of the members whose names match.
type AttributeType struct {
	// Name matches the names of members.
	Name *regexp.Regexp
	// Schema is what their values conform to, beside the schema of the member itself.
	Schema *jsonschema.Schema
}

// RateLimit is a token bucket.
type RateLimit struct {
	// When names the request member that makes a request count; "" counts all.
	When string
	// Burst is how many requests a full bucket allows.
	Burst int
	// Every is the time after which one more is allowed.
	Every time.Duration
}

// KeywordsOf returns the x- keywords of a compiled schema object, the zero value if it has none. It does not follow $ref.
func KeywordsOf(s *jsonschema.Schema) Keywords {
	if s == nil {
		return Keywords{}
	}
	found, _ := s.Extensions[extensionName].(keywordSet)
	return found.keywords
}

// extensionName is the name of our vocabulary among the extensions of the compiler.
const extensionName = "rehearsal"

// keywordSet is the compiled form of our keywords. They describe and never refuse.
type keywordSet struct{ keywords Keywords }

func (keywordSet) Validate(jsonschema.ValidationContext, any) error { return nil }

// keywordCompiler compiles our keywords. The files were checked against vocabulary.json before.
type keywordCompiler struct{}

func (keywordCompiler) Compile(ctx jsonschema.CompilerContext, object map[string]any) (jsonschema.ExtSchema, error) {
	written := map[string]any{}
	for name, value := range object {
		if strings.HasPrefix(name, "x-") {
			written[name] = value
		}
	}
	if len(written) == 0 {
		return nil, nil
	}
	keywords, err := readKeywords(written)
	if err != nil {
		return nil, err
	}
	for i := range keywords.Endpoints {
		for j := range keywords.Endpoints[i].Query {
			parameter := &keywords.Endpoints[i].Query[j]
			schema, err := ctx.Compile(fmt.Sprintf("x-endpoints/%d/query/%d/schema", i, j), false)
			if err != nil {
				return nil, err
			}
			parameter.Schema = func() *jsonschema.Schema { return schema }
		}
	}
	for i := range keywords.Values.AttributeTypes {
		keywords.Values.AttributeTypes[i].Schema, err = ctx.Compile(fmt.Sprintf("x-attribute-types/%d/schema", i), false)
		if err != nil {
			return nil, err
		}
	}
	return keywordSet{keywords}, nil
}

// wireKeywords is how the keywords stand in a file.
type wireKeywords struct {
	Weights    map[string]float64 `json:"x-weights"`
	NullShare  *float64           `json:"x-null-share"`
	Unique     bool               `json:"x-unique"`
	Earliest   isoDate            `json:"x-earliest"`
	Latest     isoDate            `json:"x-latest"`
	Types      []wireType         `json:"x-attribute-types"`
	Source     string             `json:"x-source"`
	Role       string             `json:"x-role"`
	DateFormat string             `json:"x-date-format"`
	WireNames  map[string]string  `json:"x-wire-names"`
	CSV        *CSV               `json:"x-csv"`
	Unasked    []string           `json:"x-unasked"`
	Journey    []wireStep         `json:"x-journey"`
	Export     *wireExport        `json:"x-export"`
	Endpoints  []Endpoint         `json:"x-endpoints"`
	States     *dialect.States    `json:"x-states"`
	RateLimit  *wireRateLimit     `json:"x-rate-limit"`
	Status     int                `json:"x-status"`
}

type wireStep struct {
	Event, After, Channel, Consent string
	Rate                           float64
	Delay                          isoduration.Duration
	Unless                         []string
	Person, Burst                  bool
	Machine, Again                 struct {
		Share, Rate float64
		Delay       isoduration.Duration
	}
}

type wireType struct{ Name string }

type wireRateLimit struct {
	When  string
	Burst int
	Every isoduration.Duration
}

type wireExport struct {
	Export
	Lookback isoduration.Duration `json:"lookback"`
}

func readKeywords(written map[string]any) (Keywords, error) {
	data, err := json.Marshal(written)
	if err != nil {
		return Keywords{}, err
	}
	var wire wireKeywords
	if err := json.Unmarshal(data, &wire); err != nil {
		return Keywords{}, err
	}
	keywords := Keywords{
		Source:     wire.Source,
		Role:       wire.Role,
		DateFormat: wire.DateFormat,
		WireNames:  wire.WireNames,
		CSV:        wire.CSV,
		Values: Values{
			Weights: wire.Weights, NullShare: wire.NullShare, Unique: wire.Unique,
			Earliest: time.Time(wire.Earliest), Latest: time.Time(wire.Latest),
		},
		Endpoints: wire.Endpoints,
		States:    wire.States != nil,
		Unasked:   wire.Unasked,
		Status:    wire.Status,
	}
	for _, step := range wire.Journey {
		keywords.Journey = append(keywords.Journey, Step{
			Event: step.Event, After: step.After, Rate: step.Rate, Delay: time.Duration(step.Delay),
			Unless: step.Unless, Channel: step.Channel, Consent: step.Consent, Person: step.Person, Burst: step.Burst,
			Machine: Machine{step.Machine.Share, time.Duration(step.Machine.Delay)},
			Again:   Again{step.Again.Rate, time.Duration(step.Again.Delay)},
		})
	}
	for _, attribute := range wire.Types {
		name, err := regexp.Compile(attribute.Name)
		if err != nil {
			return Keywords{}, err
		}
		keywords.Values.AttributeTypes = append(keywords.Values.AttributeTypes, AttributeType{Name: name})
	}
	if wire.Export != nil {
		export := wire.Export.Export
		export.Lookback = time.Duration(wire.Export.Lookback)
		switch {
		case export.Status != 0:
		case export.Response == "":
			export.Status = 200
		default:
			export.Status = 202
		}
		keywords.Export = &export
	}
	if limit := wire.RateLimit; limit != nil {
		keywords.RateLimit = &RateLimit{When: limit.When, Burst: limit.Burst, Every: time.Duration(limit.Every)}
	}
	return keywords, nil
}

// isoDate reads a day, such as 1990-12-31, or an instant in UTC, such as 1990-12-31T12:00:00Z.
type isoDate time.Time

// UnmarshalText implements [encoding.TextUnmarshaler].
func (d *isoDate) UnmarshalText(text []byte) error {
	at, err := time.Parse(time.DateOnly, string(text))
	if err != nil {
		at, err = time.Parse(time.RFC3339, string(text))
	}
	*d = isoDate(at)
	return err
}
