package exports_test

import (
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/acceptor"
)

// Both readers find the same members, null among them.
func TestBothReadersOfAPayloadFindTheSameMembers(t *testing.T) {
	library, err := schemas.Open(fstest.MapFS{"common/any.json": {Data: []byte(`{"type":"object"}`)}})
	if err != nil {
		t.Fatal(err)
	}
	checker, err := acceptor.Compile(library.Schema("common/any.json"))
	if err != nil {
		t.Fatal(err)
	}
	const body = `{"null":null,"text":"a","list":["a"],"inner":{"null":null,"text":""},"no":false}`
	var document acceptor.Document
	if !checker.Accept([]byte(body), &document) {
		t.Fatal("the body is not accepted")
	}
	value, err := schemas.Decode([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	members := exports.Members(value.(map[string]any))
	for path, there := range map[string]bool{
		"null": true, "text": true, "list": true, "inner": true, "no": true, "nothing": false,
		"inner null": true, "inner text": true, "inner nothing": false, "null x": false, "text x": false, "list 0": false,
	} {
		names := strings.Fields(path)
		if members.Has(names...) != there || document.Has(names...) != there {
			t.Errorf("%s: decoded %v, accepted %v, want %v", path, members.Has(names...), document.Has(names...), there)
		}
		decoded, is := members.String(names...)
		if accepted, also := document.String(names...); decoded != accepted || is != also {
			t.Errorf("%s: decoded %q %v, accepted %q %v", path, decoded, is, accepted, also)
		}
	}
}

// An accepted body and a decoded one must plan the same file.
func TestBothReadersOfAPayloadPlanTheSameFile(t *testing.T) {
	library, err := schemas.Embedded()
	if err != nil {
		t.Fatal(err)
	}
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
		value, err := schemas.Decode([]byte(body))
		if err != nil {
			t.Fatal(err)
		}
		checker, err := acceptor.Compile(library.Schema(export.Request))
		if err != nil {
			t.Fatal(err)
		}
		var document acceptor.Document
		if !checker.Accept([]byte(body), &document) {
			t.Fatalf("%s is not accepted", body)
		}
		decoded, err := planner.Plan(export, nil, "live_demo", exports.Members(value.(map[string]any)), now)
		if err != nil {
			t.Fatal(err)
		}
		accepted, err := planner.Plan(export, nil, "live_demo", &document, now)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(decoded, accepted) {
			t.Errorf("%s:\n decoded  %+v\n accepted %+v", export.Kind, decoded, accepted)
		}
	}
	if compared != len(bodies) {
		t.Errorf("compared %d kinds of %d", compared, len(bodies))
	}
}
