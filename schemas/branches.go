package schemas

import (
	"maps"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// Roles are the paths of the members of a request, by their roles (x-role). A member without the keyword has the name as the role.
type Roles map[string][]string

// Dated tells whether one of them is the end of a window.
func (r Roles) Dated() bool {
	return r["from"] != nil || r["to"] != nil || r["through"] != nil || r["span"] != nil
}

// In are the branches of the member of a request that has a role; nil without one.
func (r Roles) In(request *jsonschema.Schema, role string) Branches {
	if r[role] == nil {
		return nil
	}
	at := branchesOf(request)
	for _, name := range r[role] {
		at = at.Member(name)
	}
	return at
}

// Branch is a schema that may apply to a value.
type Branch struct {
	*jsonschema.Schema
	// Sure tells that it applies to each such value: no choice and no condition leads to it.
	Sure bool
}

// Branches are the schemas that may apply to a value by reference, combination or choice. An if tests a value and allows none.
type Branches []Branch

// branchesOf are the branches of a schema.
func branchesOf(s *jsonschema.Schema) Branches { return Branches(nil).with(s, true) }

// Member are the branches of a member of the value.
func (b Branches) Member(name string) (all Branches) {
	for _, each := range b {
		all = all.with(each.Properties[name], each.Sure)
	}
	return all
}

// Items are the branches of an item of the value.
func (b Branches) Items() (all Branches) {
	for _, each := range b {
		all = all.with(each.Items2020, each.Sure)
	}
	return all
}

func (b Branches) with(s *jsonschema.Schema, sure bool) Branches {
	if s == nil || slices.ContainsFunc(b, func(has Branch) bool { return has.Schema == s && (has.Sure || !sure) }) {
		return b
	}
	b = append(b, Branch{s, sure}).with(s.Ref, sure)
	for _, part := range s.AllOf {
		b = b.with(part, sure)
	}
	for _, part := range slices.Concat(s.AnyOf, s.OneOf, []*jsonschema.Schema{s.Then, s.Else}) {
		b = b.with(part, false)
	}
	for _, name := range slices.Sorted(maps.Keys(s.DependentSchemas)) {
		b = b.with(s.DependentSchemas[name], false)
	}
	return b
}
