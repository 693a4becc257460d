package acceptor

import "github.com/santhosh-tekuri/jsonschema/v5"

// combined are the checks of $ref, allOf, anyOf, oneOf, not and if.
func (c *compiler) combined(s *jsonschema.Schema) (checks []check, err error) {
	each := func(list ...*jsonschema.Schema) (made []check) {
		for _, below := range list {
			one := check(func(*Document, int) bool { return true })
			if below != nil && err == nil {
				one, err = c.check(below)
			}
			made = append(made, one)
		}
		return made
	}
	choice := func(branches []check, exactly bool) check {
		return func(d *Document, at int) bool {
			matches := 0
			for _, branch := range branches {
				if branch(d, at) {
					if matches++; !exactly {
						return true
					}
				}
			}
			return matches == 1
		}
	}
	if s.Ref != nil {
		checks = append(checks, each(s.Ref)...)
	}
	checks = append(checks, each(s.AllOf...)...)
	if len(s.AnyOf) > 0 {
		checks = append(checks, choice(each(s.AnyOf...), false))
	}
	if len(s.OneOf) > 0 {
		checks = append(checks, choice(each(s.OneOf...), true))
	}
	if s.Not != nil {
		not := each(s.Not)[0]
		checks = append(checks, func(d *Document, at int) bool { return !not(d, at) })
	}
	if s.If != nil {
		branches := each(s.If, s.Then, s.Else)
		checks = append(checks, func(d *Document, at int) bool {
			if branches[0](d, at) {
				return branches[1](d, at)
			}
			return branches[2](d, at)
		})
	}
	return checks, err
}
