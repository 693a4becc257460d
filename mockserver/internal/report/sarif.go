package report

import (
	"cmp"
	"io"
	"net/url"
	"path/filepath"
)

// object is an object of SARIF.
type object map[string]any

func message(text string) object { return object{"text": Printable(text)} }

// levels are those of severities; any other is an error.
var levels = map[string]string{"warning": "warning", "medium": "warning", "low": "note"}

// sarif writes the report as SARIF 2.1.0. A finding of a rule that innocent files may break is a warning.
func (r *Report) sarif(out io.Writer) error {
	rules, results, notes := []object{}, []object{}, []object{}
	index, innocent, successful := map[string]int{}, map[string]bool{}, true
	add := func(name string, rule object) {
		rule["id"], index[name] = name, len(rules)
		rules = append(rules, rule)
	}
	for _, rule := range r.rules {
		described := object{"shortDescription": message(rule.About)}
		if innocent[rule.Name] = rule.Innocent != ""; rule.Innocent != "" {
			described["help"] = message("Files of the real service may break it without being wrong: " + rule.Innocent + ".")
		}
		add(rule.Name, described)
	}
	for _, c := range r.cases {
		for _, found := range c.findings {
			if _, known := index[found.Rule]; !known {
				add(found.Rule, object{})
			}
			results = append(results, resultOf(found, index[found.Rule], innocent[found.Rule]))
		}
		successful = successful && c.broken == ""
		for _, note := range [][2]string{{"error", c.broken}, {"note", c.skipped}, {"warning", c.dropped()}} {
			if note[1] != "" {
				notes = append(notes, object{"level": note[0], "message": message(c.name + ": " + note[1])})
			}
		}
	}
	return writeJSON(out, object{
		"$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		"version": "2.1.0",
		"runs": []object{{
			"tool":        object{"driver": object{"name": r.command, "version": r.version, "rules": rules}},
			"invocations": []object{{"executionSuccessful": successful, "toolExecutionNotifications": notes}},
			"results":     results,
		}},
	}, "  ")
}

func resultOf(found Finding, rule int, innocent bool) object {
	text := found.Message
	if found.Pointer != "" {
		text = found.Pointer + ": " + text
	}
	made := object{"ruleId": found.Rule, "ruleIndex": rule, "level": cmp.Or(levels[found.Severity], "error"), "message": message(text)}
	if innocent {
		made["level"] = "warning"
	}
	made["locations"] = []object{{"logicalLocations": []object{{"fullyQualifiedName": Printable(found.Subject)}}}}
	if found.Place != nil {
		made["locations"] = []object{locationOf(*found.Place)}
	}
	if found.Other != nil {
		made["relatedLocations"] = []object{locationOf(*found.Other)}
	}
	if found.ID != "" {
		made["partialFingerprints"] = object{"id": found.ID} // what is known is found again
	}
	return made
}

// locationOf describes a place. SARIF counts columns in characters, of which nothing is known here: the column in bytes is a property.
func locationOf(p Place) object {
	physical, properties := object{"artifactLocation": object{"uri": uriOf(p.File)}}, object{}
	if p.Line > 0 {
		physical["region"] = object{"startLine": p.Line}
	}
	for name, number := range map[string]int64{"row": p.Row, "byteColumn": p.Column} {
		if number > 0 {
			properties[name] = number
		}
	}
	return object{"physicalLocation": physical, "properties": properties}
}

// uriOf returns the address of a file: relative to the current directory if its name is.
func uriOf(name string) string {
	address := url.URL{Path: filepath.ToSlash(name)}
	if filepath.IsAbs(name) {
		address.Scheme = "file"
		if address.Path[0] != '/' {
			address.Path = "/" + address.Path // a drive
		}
	}
	return address.String()
}
