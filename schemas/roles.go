package schemas

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// Roles are the paths of the members of a request, by their roles (x-role). A member without the keyword has the role of its name.
type Roles map[string][]string

// deepestRole is how deep in a request members have roles; a schema may contain itself.
const deepestRole = 3

// add reads the roles of members of an object.
func (r Roles) add(s *jsonschema.Schema, in []string) {
	members := membersIn(s)
	names := slices.Sorted(maps.Keys(members))
	for _, name := range names {
		said := KeywordsOf(members[name]).Role
		if role := cmp.Or(said, name); r[role] == nil || said != "" {
			r[role] = append(slices.Clone(in), name)
		}
	}
	for _, name := range names {
		if path := append(slices.Clone(in), name); len(path) < deepestRole {
			r.add(members[name], path)
		}
	}
}

// membersIn are the members that an object lists, or the one that it refers to.
func membersIn(s *jsonschema.Schema) map[string]*jsonschema.Schema {
	if s.Properties != nil {
		return s.Properties
	}
	return Followed(s).Properties
}

// rolesRead are the roles that code reads, and the one of what it leaves alone.
var rolesRead = []string{"from", "to", "events", "ids", "channels", "attributes", "identifiers", "segment", "ignored"}

// CheckRoles refuses a member of a request that nothing reads, with a [*FileError]. A const chooses the kind of export, and objects
// have members of their own.
func (l *Library) CheckRoles() error {
	for _, export := range l.exports {
		if err := checkRoles(l.Schema(export.Request), 0); err != nil {
			return err
		}
	}
	return nil
}

func checkRoles(s *jsonschema.Schema, depth int) error {
	members := membersIn(s)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		member := Followed(members[name])
		switch {
		case slices.Contains(rolesRead, cmp.Or(KeywordsOf(members[name]).Role, name)) || len(member.Constant) > 0 || member.Always != nil:
		case len(member.Properties) > 0 && depth < deepestRole:
			if err := checkRoles(member, depth+1); err != nil {
				return err
			}
		default:
			return FaultOf(members[name], "nothing reads this member of a request: give it an x-role, one of "+strings.Join(rolesRead, ", ")+
				"; what is ignored may be sent, and changes nothing")
		}
	}
	return nil
}
