package control

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// validation is the answer of a check.
type validation struct {
	schemas.Summary
	// Complete tells that the whole body was read: false when there were as many faults as may be reported.
	Complete bool            `json:"complete"`
	Found    []schemas.Fault `json:"found"`
}

// What a scenario says, its schema cannot judge: the payload is read as POST /_mock/scenarios reads it, but nothing is set.
const (
	scenarioRequest = "mock/scenario.request.json"
	largestScenario = 1 << 16
)

// validate checks the body, a payload or a whole file of any size, against a schema while it is being received. The media type does not
// matter: the schema says whether it is CSV or JSON.
func (a *API) validate(r *httpd.Request) (httpd.Response, error) {
	file, err := a.Library.Resolve(r.Query["schema"])
	if err != nil {
		return httpd.Response{}, exports.RefuseMember("/schema", "enum", "the query parameter schema: %v", err)
	}
	most, err := httpd.Number(r.Query, "max_faults")
	if err != nil {
		return httpd.Response{}, err
	}
	limited, cancel := a.Budgets.Deadline(r.Context())
	defer cancel()
	answer := validation{Complete: true, Found: []schemas.Fault{}}
	body := httpd.ReadWithin(limited, r.Body)
	var payload []byte
	if file == scenarioRequest {
		if payload, err = httpd.ReadUpTo(r.Request, largestScenario); err != nil {
			return httpd.Response{}, err
		}
		body = bytes.NewReader(payload)
	}
	answer.Summary, err = a.Library.CheckFile(file, body, func(fault schemas.Fault) bool {
		answer.Found = append(answer.Found, fault)
		answer.Complete = len(answer.Found) < most
		return answer.Complete && limited.Err() == nil
	})
	if limited.Err() != nil {
		return httpd.Response{}, fmt.Errorf("checking a body against %s: %w", r.Query["schema"], context.Cause(limited))
	}
	if err != nil {
		return httpd.Response{}, exports.Refuse(exports.MalformedJSONBody, "the body could not be read to its end: %v", err)
	}
	if file == scenarioRequest && answer.Faults == 0 {
		if answer.Found, err = a.scenarioFaults(payload); err != nil {
			return httpd.Response{}, err
		}
		answer.Faults = int64(len(answer.Found))
	}
	// Faults of one row come by their rule.
	slices.SortStableFunc(answer.Found, func(a, b schemas.Fault) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return httpd.OK(answer), nil
}

// scenarioFaults is what POST /_mock/scenarios would refuse in a payload that its schema accepts.
func (a *API) scenarioFaults(payload []byte) ([]schemas.Fault, error) {
	value, err := schemas.Decode(payload)
	if err != nil {
		return nil, err
	}
	members, is := value.(map[string]any)
	if !is {
		return nil, fmt.Errorf("schema %s accepts a payload that is no object", scenarioRequest)
	}
	found := []schemas.Fault{}
	var refused *exports.Refusal
	if _, err = a.ruleOf(members); errors.As(err, &refused) {
		for _, problem := range refused.Problems {
			found = append(found, schemas.Fault{Line: 1, Column: 1, Pointer: problem.Pointer, Keyword: problem.Keyword, Message: problem.Message})
		}
		return found, nil
	}
	return found, err
}
