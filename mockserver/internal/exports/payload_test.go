package exports_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/acceptor"
)

// An accepted body and a decoded one must plan the same file.
func TestBothReadersOfAPayloadPlanTheSameFile(t *testing.T) {
	library := must.Get(schemas.Embedded())(t)
	bodies := map[string]string{
		"campaign.events":       `{"from":"2026-01-01T00:00:00","to":"now","events":["push_open","push_sent","push_open"],"ids":["custom_id"]}`,
		"userbase":              `{"ids":["install_id","custom_id","install_id"]}`,
		"profiles.attributes":   `{"export_type":"ATTRIBUTES","attributes":["$language","shoe_size","$language"],"filter":{"segment":"vip"}}`,
		"profiles.events":       `{"export_type":"EVENTS","from":"2026-01-01T00:00:00.5Z","to":"now","events":["sms_sent"],"identifiers":["custom_id"]}`,
		"profiles.reachability": `{"export_type":"REACHABILITY","from":"2026-01-01T00:00:00Z","to":"2026-01-02T00:00:00Z","channels":["email"]}`,
	}
	planner := exports.Planner{Seed: 3, Profiles: 100, PartSize: 1000}
	now := time.Date(2026, 1, 20, 0, 0, 0, 0, time.UTC)
	compared := 0
	for _, export := range library.Exports() {
		body, given := bodies[export.Kind]
		if !given {
			continue
		}
		compared++
		value := must.Get(schemas.Decode([]byte(body)))(t)
		checker := must.Get(acceptor.Compile(library.Schema(export.Request)))(t)
		var document acceptor.Document
		if !checker.Accept([]byte(body), &document) {
			t.Fatalf("%s is not accepted", body)
		}
		decoded := must.Get(planner.Plan(export, nil, "live_demo", exports.Members(value.(map[string]any)), now))(t)
		accepted := must.Get(planner.Plan(export, nil, "live_demo", &document, now))(t)
		must.Hold(t, reflect.DeepEqual(decoded, accepted), "%s:\n decoded  %+v\n accepted %+v", export.Kind, decoded, accepted)
	}
	must.Hold(t, compared == len(bodies), "compared %d kinds of %d", compared, len(bodies))
}
