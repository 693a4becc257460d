package drift

import "net/url"

// parameters holds the query of a request against the parameters of its endpoint: fault is the first one that is missing or
// does not fit, and what is said of it. One that no schema file lists may mean anything, and is passed over.
func (c *conversation) parameters() (fault *Finding) {
	query, err := url.ParseQuery(c.x.To.Query)
	if err != nil {
		return nil
	}
	for _, each := range c.route.query {
		f := Finding{Where: c.where(Request, "?"+each.Name), Severity: Medium, Kind: "parameter", Allowed: "a value that fits its schema"}
		switch values, there := query[each.Name]; {
		case !there && each.Required:
			f.Kind, f.Allowed, f.Came = "missing-parameter", "a request with it", "a request without it was answered"
			return &f
		case !there || each.Schema == nil || each.Schema() == nil:
		case each.Schema().Validate(values[0]) != nil:
			f.Came = shape(values[0]) + " was answered"
			return &f
		}
	}
	return nil
}
