package acceptor

// combined are the checks of $ref, allOf, anyOf, oneOf, not and if.
func (p patterns) combined(r *rules) (checks []check, err error) {
	each := func(list ...*rules) (made []check) {
		for _, each := range list {
			one, failure := p.check(orTrue(each))
			if failure != nil && err == nil {
				err = failure
			}
			made = append(made, one)
		}
		return made
	}
	checks = append(checks, each(r.All...)...)
	for _, choice := range r.Choices {
		branches := each(choice.Branches...)
		checks = append(checks, func(d *Document, at int) bool {
			matches := 0
			for _, branch := range branches {
				if branch(d, at) {
					matches++
				}
			}
			return matches == 1 || matches > 1 && !choice.Exactly
		})
	}
	if r.Not != nil {
		not := each(r.Not)[0]
		checks = append(checks, func(d *Document, at int) bool { return !not(d, at) })
	}
	if r.If != nil {
		branches := each(r.If.If, r.If.Then, r.If.Else)
		checks = append(checks, func(d *Document, at int) bool {
			if branches[0](d, at) {
				return branches[1](d, at)
			}
			return branches[2](d, at)
		})
	}
	return checks, err
}

func orTrue(r *rules) *rules {
	if r != nil {
		return r
	}
	return &rules{} // which has no check
}
