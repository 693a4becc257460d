package report

import (
	"io"
	"net/url"
	"path/filepath"
)

// The objects of SARIF 2.1.0, as far as a report has something to say.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		Results     []sarifResult     `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID          string        `json:"id"`
		Description *sarifMessage `json:"shortDescription,omitempty"`
		Help        *sarifMessage `json:"help,omitempty"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level   string       `json:"level"`
		Message sarifMessage `json:"message"`
	}
	sarifResult struct {
		Rule      string          `json:"ruleId"`
		Index     int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifMessage    `json:"message"`
		Locations []sarifLocation `json:"locations"`
		Related   []sarifLocation `json:"relatedLocations,omitempty"`
	}
	sarifLocation struct {
		Physical   sarifPhysical  `json:"physicalLocation"`
		Properties map[string]any `json:"properties,omitempty"`
	}
	sarifPhysical struct {
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region *sarifRegion `json:"region,omitempty"`
	}
	sarifRegion struct {
		Line int `json:"startLine"`
	}
)

// The levels of SARIF that a report uses.
const (
	levelError   = "error"
	levelWarning = "warning"
	levelNote    = "note"
)

// SARIF writes the report as SARIF 2.1.0. A finding of a rule that innocent
// files may break is a warning.
func (r *Report) SARIF(out io.Writer) error {
	run := sarifRun{
		Tool:        sarifTool{sarifDriver{Name: r.Command, Version: r.Version, Rules: []sarifRule{}}},
		Invocations: []sarifInvocation{{Successful: true}},
		Results:     []sarifResult{},
	}
	rules := map[string]int{}
	levels := map[string]string{}
	for _, rule := range r.Rules {
		described := sarifRule{ID: rule.Name, Description: &sarifMessage{rule.About}}
		if rule.Innocent != "" {
			levels[rule.Name] = levelWarning
			described.Help = &sarifMessage{"Files of the real service may break it without being wrong: " + rule.Innocent + "."}
		}
		rules[rule.Name] = len(run.Tool.Driver.Rules)
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, described)
	}
	invocation := &run.Invocations[0]
	notify := func(level string, c *Case, text string) {
		if text != "" {
			invocation.Notifications = append(invocation.Notifications, sarifNotification{level, sarifMessage{Printable(c.Name + ": " + text)}})
		}
	}
	for _, c := range r.cases {
		for _, found := range c.findings {
			index, known := rules[found.Rule]
			if !known {
				index = len(run.Tool.Driver.Rules)
				rules[found.Rule] = index
				run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{ID: found.Rule})
			}
			result := sarifResult{Rule: found.Rule, Index: index, Level: levelError, Message: sarifMessage{Printable(found.Message)}, Locations: []sarifLocation{locationOf(found.Place)}}
			if level := levels[found.Rule]; level != "" {
				result.Level = level
			}
			if found.Other != nil {
				result.Related = []sarifLocation{locationOf(*found.Other)}
			}
			run.Results = append(run.Results, result)
		}
		invocation.Successful = invocation.Successful && c.Broken == ""
		notify(levelError, c, c.Broken)
		notify(levelNote, c, c.Skipped)
		notify(levelWarning, c, c.dropped())
	}
	return writeJSON(out, sarifLog{
		Schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run},
	}, "  ")
}

// locationOf describes a place. SARIF counts columns in characters, of which
// nothing is known here: the column in bytes is a property.
func locationOf(p Place) sarifLocation {
	var location sarifLocation
	location.Physical.Artifact.URI = uriOf(p.File)
	if p.Line > 0 {
		location.Physical.Region = &sarifRegion{p.Line}
	}
	if p.Row > 0 || p.Column > 0 {
		location.Properties = map[string]any{}
	}
	if p.Row > 0 {
		location.Properties["row"] = p.Row
	}
	if p.Column > 0 {
		location.Properties["byteColumn"] = p.Column
	}
	return location
}

// uriOf is the address of a file: relative to the current directory if its
// name is.
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
