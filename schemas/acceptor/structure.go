package acceptor

import "regexp"

// arrays are the checks of how many items there are, and of each.
func (p patterns) arrays(r *rules) (checks []check, err error) {
	if r.Array == nil {
		return nil, nil
	}
	checks = counted(checks, kindArray, r.Array.Size)
	if r.Array.Item == nil {
		return checks, nil
	}
	item, err := p.check(r.Array.Item)
	if err != nil {
		return nil, err
	}
	return append(checks, func(d *Document, at int) bool {
		if d.tokens[at].kind != kindArray {
			return true
		}
		for each, end := at+1, int(d.tokens[at].next); each < end; each = int(d.tokens[each].next) {
			if !item(d, each) {
				return false
			}
		}
		return true
	}), nil
}

func counted(checks []check, of kind, bounds *size) []check {
	if bounds == nil {
		return checks
	}
	least, most := int64(bounds.Least), int64(bounds.Most)
	return append(checks, func(d *Document, at int) bool {
		t := &d.tokens[at]
		return t.kind != of || t.number >= least && (most < 0 || t.number <= most)
	})
}

// objects are the checks of members.
func (p patterns) objects(r *rules) (checks []check, err error) {
	if r.Object == nil {
		return nil, nil
	}
	checks = counted(checks, kindObject, r.Object.Size)
	if required := r.Object.Required; len(required) > 0 {
		checks = append(checks, func(d *Document, at int) bool {
			if d.tokens[at].kind != kindObject {
				return true
			}
			for _, name := range required {
				if d.member(at, name) < 0 {
					return false
				}
			}
			return true
		})
	}
	members, err := p.members(r.Object)
	if err != nil || members == nil {
		return checks, err
	}
	return append(checks, members), nil
}

// members checks those that have a name, those whose name matches a pattern, and the others.
func (p patterns) members(r *object) (check, error) {
	if len(r.Named) == 0 && len(r.Matching) == 0 && r.Others == nil {
		return nil, nil
	}
	type namedCheck struct {
		name  string
		check check
	}
	var named []namedCheck
	for _, each := range r.Named {
		made, err := p.check(each.Rules)
		if err != nil {
			return nil, err
		}
		named = append(named, namedCheck{each.Name, made})
	}
	type patterned struct {
		name  *regexp.Regexp
		check check
	}
	var matching []patterned
	for _, each := range r.Matching {
		name, err := p.matcher(each.Name)
		if err != nil {
			return nil, err
		}
		made, err := p.check(each.Rules)
		if err != nil {
			return nil, err
		}
		matching = append(matching, patterned{name.pattern, made})
	}
	others := check(func(*Document, int) bool { return true })
	if r.Others != nil {
		var err error
		if others, err = p.check(r.Others); err != nil {
			return nil, err
		}
	}
	return func(d *Document, at int) bool {
		if d.tokens[at].kind != kindObject {
			return true
		}
		for name, end := at+1, int(d.tokens[at].next); name < end; name = int(d.tokens[name+1].next) {
			evaluated := false
			for i := range named {
				if string(d.bytes(name)) == named[i].name {
					evaluated = true
					if !named[i].check(d, name+1) {
						return false
					}
					break
				}
			}
			for _, pattern := range matching {
				if pattern.name.Match(d.bytes(name)) {
					evaluated = true
					if !pattern.check(d, name+1) {
						return false
					}
				}
			}
			if !evaluated && !others(d, name+1) {
				return false
			}
		}
		return true
	}, nil
}
