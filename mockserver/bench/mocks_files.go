package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// What the other servers are given.
const (
	prismFile      = "prism.json"
	mockoonFile    = "mockoon.json"
	wireMockFolder = "wiremock"
)

// createPath and statusPath are the two routes that every server has.
const (
	createPath = "/1.0/{api_key}/export/campaign/{campaign_token}/events"
	statusPath = "/1.0/{api_key}/export/request/{request_id}"
)

// writeMocks makes the documents of the other servers out of the one that the program answers: two routes with all that belongs to them.
func writeMocks(text []byte, directory string) error {
	var document map[string]any
	if err := json.Unmarshal(text, &document); err != nil {
		return fmt.Errorf("the OpenAPI document of the program: %w", err)
	}
	schema, ok := at(document, "paths", createPath, "post", "requestBody", "content", "application/json", "schema")
	if !ok {
		return fmt.Errorf("the OpenAPI document has no payload at %s", createPath)
	}
	schema = inlined(document, schema)
	if err := writeJSON(filepath.Join(directory, prismFile), reduced(document)); err != nil {
		return err
	}
	if err := writeJSON(filepath.Join(directory, mockoonFile), mockoonEnvironment(schema)); err != nil {
		return err
	}
	mappings := filepath.Join(directory, wireMockFolder, "mappings")
	if err := os.MkdirAll(mappings, 0o755); err != nil {
		return err
	}
	return writeJSON(filepath.Join(mappings, "create.json"), wireMockMapping(schema))
}

func writeJSON(file string, value any) error {
	text, err := json.MarshalIndent(value, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

// at is the member of a document under a chain of names.
func at(value any, names ...string) (any, bool) {
	for _, name := range names {
		object, is := value.(map[string]any)
		if !is {
			return nil, false
		}
		if value, is = object[name]; !is {
			return nil, false
		}
	}
	return value, true
}

// referred is what a reference inside the document names.
func referred(document map[string]any, reference string) (any, bool) {
	return at(document, strings.Split(strings.TrimPrefix(reference, "#/"), "/")...)
}

// reduced keeps the two routes, and of the components what they need.
func reduced(document map[string]any) map[string]any {
	paths := map[string]any{}
	for _, path := range []string{createPath, statusPath} {
		if found, there := at(document, "paths", path); there {
			paths[path] = found
		}
	}
	components := map[string]any{}
	if schemes, there := at(document, "components", "securitySchemes"); there {
		components["securitySchemes"] = schemes
	}
	var keep func(value any)
	keep = func(value any) {
		switch value := value.(type) {
		case []any:
			for _, item := range value {
				keep(item)
			}
		case map[string]any:
			if reference, is := value["$ref"].(string); is {
				names := strings.Split(strings.TrimPrefix(reference, "#/"), "/")
				found, there := referred(document, reference)
				if !there || len(names) != 3 {
					return
				}
				group, _ := components[names[1]].(map[string]any)
				if group == nil {
					group = map[string]any{}
					components[names[1]] = group
				}
				if _, kept := group[names[2]]; !kept {
					group[names[2]] = found
					keep(found)
				}
			}
			for _, member := range value {
				keep(member)
			}
		}
	}
	keep(paths)
	return map[string]any{"openapi": document["openapi"], "info": document["info"], "paths": paths, "components": components}
}

// outside are the keywords that tell where a schema is, and those of OpenAPI alone: of those that they do not know, older validators
// refuse the whole schema, and Mockoon then any payload.
var outside = map[string]bool{"$ref": true, "$id": true, "$schema": true, "$defs": true, "examples": true, "externalDocs": true,
	"example": true}

// inlined is a schema without references, comments, keywords of our own and of OpenAPI.
func inlined(document map[string]any, value any) any {
	switch value := value.(type) {
	case []any:
		made := make([]any, 0, len(value))
		for _, item := range value {
			made = append(made, inlined(document, item))
		}
		return made
	case map[string]any:
		made := map[string]any{}
		if reference, is := value["$ref"].(string); is {
			if found, there := referred(document, reference); there {
				if object, is := inlined(document, found).(map[string]any); is {
					made = object
				}
			}
		}
		for name, member := range value {
			if !outside[name] && !strings.HasPrefix(name, "x-") {
				made[name] = inlined(document, member)
			}
		}
		return made
	}
	return value
}

// wireMockMapping accepts a creation whose payload fits the schema.
func wireMockMapping(schema any) any {
	return map[string]any{
		"request": map[string]any{
			"method": "POST", "urlPathPattern": "/1\\.0/[^/]+/export/campaign/[^/]+/events",
			"headers":      map[string]any{"X-Authorization": map[string]any{"matches": ".+"}},
			"bodyPatterns": []any{map[string]any{"matchesJsonSchema": schema, "schemaVersion": "V202012"}},
		},
		"response": map[string]any{
			"status": 202, "headers": map[string]any{"Content-Type": "application/json"},
			"body": `{"requestId":"{{randomValue type='UUID'}}"}`, "transformers": []any{"response-template"},
		},
	}
}

// mockoonEnvironment accepts a creation whose payload fits the schema, and refuses any other.
func mockoonEnvironment(schema any) any {
	text, _ := json.Marshal(schema) // it was read from JSON
	response := func(id string, status int, body string, standard bool, rules ...any) any {
		return map[string]any{
			"uuid": id, "body": body, "latency": 0, "statusCode": status, "label": "", "bodyType": "INLINE", "filePath": "", "databucketID": "",
			"sendFileAsBody": false,
			"headers":        []any{map[string]any{"key": "Content-Type", "value": "application/json"}}, "rules": append([]any{}, rules...),
			"rulesOperator":     "AND",
			"disableTemplating": false, "fallbackTo404": false, "default": standard, "crudKey": "id", "callbacks": []any{},
		}
	}
	const route = "238bd499-a589-4ce7-8dec-22b484167ed4"
	return map[string]any{
		"uuid": "51595d7b-49e8-4af8-b986-57c2244127dd", "lastMigration": 33, "name": "exports", "endpointPrefix": "", "latency": 0,
		"port": 3000, "hostname": "",
		"folders": []any{}, "rootChildren": []any{map[string]any{"type": "route", "uuid": route}}, "proxyMode": false, "proxyHost": "",
		"proxyRemovePrefix": false,
		"tlsOptions": map[string]any{"enabled": false, "type": "CERT", "pfxPath": "", "certPath": "", "keyPath": "", "caPath": "",
			"passphrase": ""},
		"cors": false, "headers": []any{}, "proxyReqHeaders": []any{}, "proxyResHeaders": []any{}, "callbacks": []any{},
		"data": []any{map[string]any{"uuid": "7f8a1c0e-0f6e-4f8e-9f43-6b4a3a5f1d21", "id": "load", "name": "payload", "documentation": "",
			"value": string(text)}},
		"routes": []any{map[string]any{
			"uuid": route, "type": "http", "documentation": "", "method": "post", "endpoint": "1.0/:api_key/export/campaign/:token/events",
			"responseMode": nil, "streamingMode": nil, "streamingInterval": 0,
			"responses": []any{
				response("d00bebbf-458e-41bd-9fb7-6ea88aaebbad", 202, `{"requestId":"{{faker 'string.uuid'}}"}`, false,
					map[string]any{"target": "body", "modifier": "", "operator": "valid_json_schema", "value": "load", "invert": false},
					map[string]any{"target": "header", "modifier": "X-Authorization", "operator": "regex", "value": ".+", "invert": false}),
				response("d00bebbf-458e-41bd-9fb7-6ea88aaebbae", 400, `{"code":31,"type":"MALFORMED_PARAMETER","message":"refused"}`, true),
			},
		}},
	}
}
