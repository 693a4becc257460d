package input_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

func library(t testing.TB) *schemas.Library {
	t.Helper()
	return must.Get(schemas.Embedded())(t)
}

func read(t testing.TB, kind input.Kind, text string) input.Rows {
	t.Helper()
	return must.Get(input.Read(library(t), kind, input.NDJSON, "", strings.NewReader(text)))(t)
}

func sameJSON(t *testing.T, one, other string) bool {
	t.Helper()
	values := [2]any{}
	for i, text := range []string{one, other} {
		value := must.Get(schemas.Decode([]byte(text)))(t)
		values[i] = value
	}
	return reflect.DeepEqual(values[0], values[1])
}

// TestFormatsAgree checks that the same rows are the same in every format.
func TestFormatsAgree(t *testing.T) {
	for _, c := range []struct {
		kind      input.Kind
		csv, json string
	}{
		{input.Profiles, "custom_id,segments,attributes.colour,attributes.age\nada,vip| paris,\"a \"\"b\"\"\",42\nbob,,,\n",
			`{"custom_id":"ada","segments":["vip","paris"],"attributes":{"colour":"a \"b\"","age":"42"}}` + "\n" + `{"custom_id":"bob"}`},
		{input.Installations, "install_id;is_optin;is_reachable\nphone-1;true;false\n", `{"install_id":"phone-1","is_optin":true,"is_reachable":false}`},
		{input.Events, "type\tinstall_id\tcampaign\tcta\tcta_position\ninapp_clicked\tphone-1\tc\tservice.dismiss\t-1\n",
			`{"type":"inapp_clicked","install_id":"phone-1","campaign":"c","cta":"service.dismiss","cta_position":-1}`},
		{input.Events, "type,install_id,reasons\nreachability,phone-1,SUBSCRIBED_TO_PUSH|PUSH_TOKEN_ADDED\n",
			`{"type":"reachability","install_id":"phone-1","reasons":["SUBSCRIBED_TO_PUSH","PUSH_TOKEN_ADDED"]}`},
		{input.Events, "type,install_id,name,tags,label,data.price\ncustom_event,phone-1,bought,a|b,x,12\n",
			`{"type":"custom_event","install_id":"phone-1","name":"bought","tags":["a","b"],"label":"x","data":{"price":"12"}}`},
		{input.Events, "type,custom_id,attribute,value\nattribute_changed,ada,colour,true\n",
			`{"type":"attribute_changed","custom_id":"ada","attribute":"colour","value":"true"}`},
	} {
		fromCSV, err := input.Read(library(t), c.kind, input.CSV, "", strings.NewReader(c.csv))
		if err != nil {
			t.Errorf("%q: %v", c.csv, err)
			continue
		}
		lines := strings.Split(c.json, "\n")
		fromArray, err := input.Read(library(t), c.kind, input.JSON, "", strings.NewReader("["+strings.Join(lines, ",\n")+"]"))
		if err != nil {
			t.Errorf("%s: %v", c.json, err)
			continue
		}
		fromLines := read(t, c.kind, c.json)
		for i := range lines {
			for format, rows := range map[string][]input.Row{"CSV": fromCSV, "an array": fromArray, "NDJSON": fromLines} {
				if len(rows) != len(lines) || !sameJSON(t, string(rows[i].Text), lines[i]) {
					t.Errorf("row %d of %s is %s, want %s", i, format, rows[i].Text, lines[i])
				}
			}
		}
	}
}

// TestPlaces checks the line and column of faults in long texts: cells with line ends, indented arrays, blank lines.
func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		kind         input.Kind
		format       input.Format
		text         string
		line, column int
	}{
		{input.Profiles, input.CSV, "custom_id,language\n\"a\nb\",fr\nc,fr,x\n", 4, 1},
		{input.Profiles, input.CSV, "custom_id,email_marketing\n\"a\nb\",maybe\n", 3, 4},
		{input.Profiles, input.CSV, "custom_id,attributes.$a\nx,y\n", 2, 3},
		{input.Installations, input.NDJSON, "\r\n\r\n  {\"install_id\":\"a\",\"platform\":\"IOS\"}\r\n", 3, 32},
		{input.Installations, input.JSON, "\n{\n\t\"install_id\": \"a\",\n\t\"is_optin\": 1\n}\n", 4, 14},
		{input.Installations, input.JSON, "[\n\n {\"install_id\": \"a\"},\n null]", 4, 2},
		{input.Events, input.CSV, "type,install_id,cta_position,campaign,cta\ninapp_clicked,a,two,c,d\n", 2, 17},
	} {
		_, err := input.Read(library(t), c.kind, c.format, "", strings.NewReader(c.text))
		var invalid *input.InvalidError
		if !errors.As(err, &invalid) || len(invalid.Faults) != 1 {
			t.Errorf("%q ended with %v", c.text, err)
			continue
		}
		if fault := invalid.Faults[0]; fault.Line != c.line || fault.Column != c.column {
			t.Errorf("%q has a fault at %d:%d, want %d:%d: %s", c.text, fault.Line, fault.Column, c.line, c.column, fault.Message)
		}
	}
}

// FuzzRead reads anything: rows or an error that names a place in the text, and what is read is read again from its own text.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"", "\n", "custom_id\nada\n", "custom_id;attributes.a\nada;\"b\nc\"\n", "install_id,is_optin\na,true\n", "\xef\xbb\xbftype\tinstall_id\nvisit\ta\n",
		`{"custom_id":"ada","attributes":{"a":[1e999]}}`, `[{"install_id":"a"},{"install_id":"b"}]`, `{"type":"visit","install_id":"a"}{"type":"visit"}`,
		`{"type":"reachability","install_id":"a","reasons":["PUSH_TOKEN_ADDED"],"is_reachable":false}`, `[[[[`, "\"\"\"", "type,type\n", "{\"type\":\"visit\",\"install_id\":\"\xff\"}",
		`{"type":"inapp_clicked","install_id":"a","campaign":"c","cta_position":1e40}`, "custom_id,attributes.\nada,b\n",
	} {
		for format := range 3 {
			for kind := range 3 {
				f.Add(text, format, kind)
			}
		}
	}
	formats := []input.Format{input.CSV, input.NDJSON, input.JSON}
	f.Fuzz(func(t *testing.T, text string, format, kind int) {
		if format < 0 || format > 2 || kind < 0 || kind > 2 {
			return
		}
		of := input.Kinds()[kind]
		rows, err := input.Read(library(t), of, formats[format], "", strings.NewReader(text))
		if err != nil {
			var invalid *input.InvalidError
			if !errors.As(err, &invalid) {
				t.Fatalf("%q ended with %v", text, err)
			}
			for _, fault := range invalid.Faults {
				if lines := 2 + strings.Count(text, "\n"); fault.Line < 1 || fault.Line > lines || fault.Column < 1 || fault.Message == "" || fault.Keyword == "" {
					t.Errorf("%q has the fault %+v", text, fault)
				}
			}
			return
		}
		for _, row := range rows {
			again, err := input.Read(library(t), of, input.JSON, "", strings.NewReader(string(row.Text)))
			if err != nil || len(again) != 1 {
				t.Errorf("the row %s is not read again: %v", row.Text, err)
			}
		}
	})
}
