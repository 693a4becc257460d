package openapi

import "github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"

// linksOf are the links of the success of a route, to routes that there are.
func linksOf(route *httpd.Route, routes []*httpd.Route) object {
	made := object{}
	for _, next := range route.Next {
		for _, target := range routes {
			if target.Name != next.Route {
				continue
			}
			described := object{{"operationId", operationID(target)}, {"description", next.Description}}
			parameters := object{}
			for _, parameter := range next.Parameters {
				parameters.set(parameter.Name, parameter.Value)
			}
			if len(parameters) > 0 {
				described.set("parameters", parameters)
			}
			made.set(next.Name, described)
		}
	}
	return made
}
