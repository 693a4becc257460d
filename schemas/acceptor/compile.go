package acceptor

import (
	"fmt"
	"math/big"
	"regexp"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// compiler makes the checks of a schema, with what it refers to in place; open are the schemas that it is in, and
// each pattern is compiled once.
type compiler struct {
	open     map[*jsonschema.Schema]bool
	patterns map[string]*matcher
}

// check makes the check of a schema. The error names a keyword for which there is none.
func (c *compiler) check(s *jsonschema.Schema) (check, error) {
	if s.Always != nil {
		always := *s.Always
		return func(*Document, int) bool { return always }, nil
	}
	if keyword := unknown(s); keyword != "" {
		return nil, fmt.Errorf("%s: the keyword %s is not known to the acceptor", s.Location, keyword)
	}
	if c.open[s] {
		return nil, fmt.Errorf("%s: a schema that contains itself is not known to the acceptor", s.Location)
	}
	c.open[s] = true
	defer delete(c.open, s)
	var checks []check
	for _, part := range []func(*jsonschema.Schema) ([]check, error){values, c.texts, numbers, c.arrays, c.objects, c.combined} {
		made, err := part(s)
		if err != nil {
			return nil, err
		}
		checks = append(checks, made...)
	}
	return all(checks), nil
}

// bounds are those of numbers, from least to most. One that numbers must not reach is one further: only whole numbers are accepted.
func bounds(s *jsonschema.Schema) (least, most []int64, err error) {
	for _, rule := range []struct {
		bound   *big.Rat
		into    *[]int64
		further int64
	}{{s.Minimum, &least, 0}, {s.ExclusiveMinimum, &least, 1}, {s.Maximum, &most, 0}, {s.ExclusiveMaximum, &most, -1}} {
		if rule.bound == nil {
			continue
		}
		const furthest = 1 << 60 // far more than the digits of an accepted number
		if !rule.bound.IsInt() || rule.bound.Num().CmpAbs(big.NewInt(furthest)) > 0 {
			return nil, nil, fmt.Errorf("%s: the bound %s is not known to the acceptor", s.Location, rule.bound)
		}
		*rule.into = append(*rule.into, rule.bound.Num().Int64()+rule.further)
	}
	return least, most, nil
}

// unknown names a keyword of a schema for which there is no rule.
func unknown(s *jsonschema.Schema) string {
	for _, known := range []struct {
		keyword string
		used    bool
	}{
		{"$recursiveRef", s.RecursiveRef != nil},
		{"$dynamicRef", s.DynamicRef != nil},
		{"propertyNames", s.PropertyNames != nil},
		{"dependencies", len(s.Dependencies) > 0},
		{"dependentRequired", len(s.DependentRequired) > 0},
		{"dependentSchemas", len(s.DependentSchemas) > 0},
		{"unevaluatedProperties", s.UnevaluatedProperties != nil},
		{"unevaluatedItems", s.UnevaluatedItems != nil},
		{"items", s.Items != nil || s.AdditionalItems != nil},
		{"prefixItems", len(s.PrefixItems) > 0},
		{"contains", s.Contains != nil},
		{"uniqueItems", s.UniqueItems},
		{"multipleOf", s.MultipleOf != nil},
		{"contentEncoding", s.ContentEncoding != ""},
		{"contentMediaType", s.ContentMediaType != ""},
		{"contentSchema", s.ContentSchema != nil},
	} {
		if known.used {
			return known.keyword
		}
	}
	return ""
}

func (c *compiler) matcher(pattern *regexp.Regexp) *matcher {
	text := pattern.String()
	if c.patterns[text] == nil {
		c.patterns[text] = &matcher{pattern: pattern}
	}
	return c.patterns[text]
}
