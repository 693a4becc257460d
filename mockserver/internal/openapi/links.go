package openapi

import "github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"

// link leads from an answer to a request that may follow it.
type link struct {
	name, to, description string
	parameters            object
}

// linksOf are the links of the success of a route, to routes that there are.
func linksOf(route *httpd.Route, routes []*httpd.Route) object {
	made := object{}
	for _, l := range nextSteps(route) {
		for _, target := range routes {
			if target.Name != l.to {
				continue
			}
			described := object{{"operationId", operationID(target, target.Method)}, {"description", l.description}}
			if l.parameters != nil {
				described.set("parameters", l.parameters)
			}
			made.set(l.name, described)
		}
	}
	return made
}

func nextSteps(route *httpd.Route) []link {
	status := func(id string) link {
		return link{"status", "profiles.view", "Looks the export up.", object{{"id", id}}}
	}
	if len(route.Exports) > 0 {
		if route.Interface == "profiles" {
			return []link{status("$response.body#/id")}
		}
		return []link{{"status", "legacy.status", "Looks the export up.",
			object{{"api_key", "$request.path.api_key"}, {"request_id", "$response.body#/requestId"}}}}
	}
	switch route.Name {
	case "legacy.status":
		return []link{{"file", "file", "Downloads the file. The address is file_url as a whole, with its query; credentials are not sent along.", nil}}
	case "profiles.view":
		return []link{{"download", "profiles.download", "Leads to the first part of the file; files lists them all.", object{{"id", "$response.body#/files/0/id"}}}}
	case "profiles.list":
		return []link{status("$response.body#/exports/0/id"),
			{"next", "profiles.list", "The next page, while has_more is true.", object{{"from", "$response.body#/next_from"}}}}
	case "profiles.download":
		return []link{{"file", "file", "Downloads the part. The address is the header Location as a whole, with its query; credentials are not sent along.", nil}}
	case "exports.list":
		return []link{{"export", "exports.get", "Shows one export.", object{{"id", "$response.body#/exports/0/id"}}}}
	case "exports.get":
		return []link{{"index", "exports.index", "Shows where its rows are.", object{{"id", "$response.body#/id"}}}}
	case "scenarios.add":
		return []link{{"delete", "scenarios.delete", "Deletes the scenario.", object{{"id", "$response.body#/id"}}}}
	}
	return nil
}
