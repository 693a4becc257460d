package schemas

import (
	"maps"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// deepestRole is how deep in a request members have roles; a schema may contain itself.
const deepestRole = 3

// rolesOf reads the roles of the members of a request.
func rolesOf(request *jsonschema.Schema) Roles {
	r := Roles{}
	for _, m := range requestMembers(branchesOf(request), nil) {
		if r[m.role] == nil || m.said {
			r[m.role] = m.path
		}
	}
	return r
}

// requestMember is a member that a request may have.
type requestMember struct {
	path     []string
	role     string
	said     bool     // by an x-role, not by the name
	mentions Branches // the schemas under the name
}

// requestMembers returns the members of an object of a request, and the nested members without a known role. A member that
// is false cannot be sent.
func requestMembers(of Branches, in []string) (all []requestMember) {
	names := map[string]bool{}
	for _, branch := range of {
		for name := range branch.Properties {
			names[name] = true
		}
	}
	var inner []requestMember
	for _, name := range slices.Sorted(maps.Keys(names)) {
		m := requestMember{path: append(slices.Clone(in), name), role: name}
		for _, branch := range of {
			if s := branch.Properties[name]; s != nil {
				m.mentions = append(m.mentions, Branch{s, branch.Sure})
			}
		}
		under := of.Member(name)
		isFalse := func(b Branch) bool { return b.Always != nil && !*b.Always }
		if slices.ContainsFunc(under, func(b Branch) bool { return b.Sure && isFalse(b) }) ||
			!slices.ContainsFunc(under, func(b Branch) bool { return !isFalse(b) }) {
			continue
		}
		for _, b := range under {
			if role := KeywordsOf(b.Schema).Role; role != "" && !m.said {
				m.role, m.said = role, true
			}
		}
		all = append(all, m)
		if !slices.Contains(rolesRead, m.role) && len(m.path) < deepestRole {
			inner = append(inner, requestMembers(under, m.path)...)
		}
	}
	return append(all, inner...)
}

// rolesRead are the roles that code reads, and ignored.
var rolesRead = []string{"from", "to", "through", "span", "events", "ids", "channels", "attributes", "identifiers", "segment", "callback",
	"ignored"}

// checkRoles refuses a member of a request that nothing reads: one without a role, and the second one of a role.
func checkRoles(request *jsonschema.Schema) error {
	taken := map[string]requestMember{}
	for _, m := range requestMembers(branchesOf(request), nil) {
		if !slices.Contains(rolesRead, m.role) {
			if unread := m.unread(); unread != nil {
				return FaultOf(unread, "nothing reads this member of a request: give it an x-role, one of "+strings.Join(rolesRead, ", ")+
					"; what is ignored may be sent, and changes nothing")
			}
			continue
		}
		first, is := taken[m.role]
		if !is || m.role == "ignored" {
			taken[m.role] = m
			continue
		}
		second := m
		if second.said && !first.said { // the member without x-role is in the way
			first, second = second, first
		}
		return FaultOf(second.mentions[0].Schema, strings.Join(second.path, ".")+" has the role "+m.role+", which "+strings.Join(first.path, ".")+
			" has taken, and one member of a role is read: take one of them out, or give it another x-role")
	}
	return nil
}

// unread is a schema of a member without a role that says nothing of why it is there; nil: each does, or one that always applies.
func (m requestMember) unread() *jsonschema.Schema {
	var silent *jsonschema.Schema
	told := false
	for _, b := range m.mentions {
		switch tells := m.explains(b); {
		case tells && b.Sure:
			return nil
		case tells:
			told = true
		case b.Always == nil && silent == nil:
			silent = b.Schema
		}
	}
	if silent == nil && !told {
		return m.mentions[0].Schema
	}
	return silent
}

// explains reports whether a schema has a const or members.
func (m requestMember) explains(b Branch) bool {
	return len(Followed(b.Schema).Constant) > 0 || len(m.path) < deepestRole &&
		slices.ContainsFunc(branchesOf(b.Schema), func(b Branch) bool { return len(b.Properties) > 0 })
}
