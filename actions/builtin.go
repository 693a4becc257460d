package actions

//go:generate go run ./internal/generate ..

// Builtin is one of the actions that are always there.
type Builtin struct {
	// Identifier is its name in the specification.
	Identifier string
	// Neutral is a second identifier, without a platform's name in it; "" when there is none.
	Neutral string
	// Capabilities are those of a [Host] that it acts on. A group has none: it needs what its items need.
	Capabilities []CapabilityName
}

// Builtins lists the built-in actions in the order of the specification's table. [Registry.List] leaves them out, because they
// are the same in every registry.
func Builtins() []Builtin {
	var list []Builtin
	for _, b := range builtins() {
		public := Builtin{Identifier: b.name, Neutral: b.neutral}
		for _, name := range b.uses {
			if name != "" {
				public.Capabilities = append(public.Capabilities, name)
			}
		}
		list = append(list, public)
	}
	return list
}

// builtin is one action of the SDK's own: a row of the specification's table.
type builtin struct {
	name string
	// neutral is a second identifier, without a platform's name in it; "" when there is none.
	neutral string
	// parameters are what the arguments must be.
	parameters []parameter
	// check, if there is one, refuses what parameters cannot say.
	check func(*input)
	// uses are the capabilities that it may act on. Unless there is depends, nothing can be done without the first.
	uses uses
	// depends, if there is one, says which of them it needs here and now; "" for none.
	depends func(*Host) CapabilityName
	// since is the version of iOS that has it.
	since version
	// run does it, with arguments that were checked and the capability that it needs.
	run func(*execution)
}

// uses are the names of some capabilities, "" where there are fewer.
type uses [2]CapabilityName

// needs is the capability without which it can do nothing on any host; "" when there is none, or when it depends.
func (b *builtin) needs() CapabilityName {
	if b.depends != nil {
		return ""
	}
	return b.uses[0]
}

// builtins are in the order of the specification's table. (Actions module, section 2.)
func builtins() []builtin {
	return []builtin{
		{name: "service.dismiss", uses: uses{CapabilityDismisser}, run: dismiss},
		{name: "service.deeplink", parameters: []parameter{{"l", visibleText}, {"li", optionalFlag}}, check: checkLink,
			uses: uses{CapabilityInterceptor, CapabilityLinkOpener}, depends: deeplinkNeeds, run: deeplink},
		{name: "service.ios_request_notifications", neutral: "service.request_notifications", uses: uses{CapabilityNotifications},
			run: requestNotifications},
		{name: "service.ios_redirect_settings", neutral: "service.redirect_settings", uses: uses{CapabilitySettings}, run: redirectSettings},
		{name: "service.ios_smart_reoptin", neutral: "service.smart_reoptin", uses: uses{CapabilityNotifications, CapabilitySettings},
			depends: smartReoptinNeeds, run: smartReoptin},
		{name: "service.user.tag", parameters: []parameter{{"a", addOrRemove}, {"c", visibleText}, {"t", visibleText}},
			uses: uses{CapabilityUserData}, run: userTag},
		{
			name:       "service.user.event",
			parameters: []parameter{{"e", visibleText}, {"l", optionalText}, {"t", optionalTexts}, {"a", optionalObject}},
			uses:       uses{CapabilityUserData}, run: userEvent,
		},
		{name: groupName, parameters: []parameter{{"actions", array}}, check: checkGroup, run: group},
		{name: "service.ios_tracking_consent", neutral: "service.tracking_consent", uses: uses{CapabilityTracking, CapabilitySettings},
			depends: trackingConsentNeeds, run: trackingConsent},
		{name: "service.clipboard", parameters: []parameter{{"t", text}}, uses: uses{CapabilityClipboard}, run: clipboard},
		{name: "service.rating", uses: uses{CapabilityReviewer}, since: version{10, 3}, run: rating},
	}
}

// has reports whether a built-in takes an argument.
func (b *builtin) has(argument string) bool {
	for i := range b.parameters {
		if b.parameters[i].name == argument {
			return true
		}
	}
	return false
}

// IsBuiltin reports whether an identifier names a built-in action, in any letter case. A surface that keeps the arguments of
// registered actions learns by it whether they are needed here.
func (r *Registry) IsBuiltin(identifier string) bool { return r.builtinNamed(identifier) != nil }

// builtinNamed finds a built-in by either of its identifiers, in any letter case.
func (r *Registry) builtinNamed(identifier string) *builtin {
	folded := fold(identifier)
	if !isReserved(folded) {
		return nil
	}
	for i := range r.builtins {
		if b := &r.builtins[i]; b.name == folded || b.neutral == folded {
			return b
		}
	}
	return nil
}

// nearestBuiltin gives the built-in that somebody who misspelt an identifier most likely meant, or "".
func (r *Registry) nearestBuiltin(folded string) (nearest string) {
	least := 4 // as many slips and more are no slips
	for _, b := range r.builtins {
		for _, name := range [...]string{b.name, b.neutral} {
			if n := slips(name, folded); n < least {
				nearest, least = name, n
			}
		}
	}
	return nearest
}

// slips counts the bytes that must be added, removed or replaced to make one text of the other. What is too long to be worth the
// count is far away.
func slips(name, text string) int {
	const longest = 48
	var row [longest + 1]int
	if len(text) > longest {
		return longest
	}
	for j := range row {
		row[j] = j
	}
	for i := 0; i < len(name); i++ {
		diagonal := row[0]
		row[0]++
		for j := 0; j < len(text); j++ {
			n := diagonal
			if name[i] != text[j] {
				n = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], n
		}
	}
	return row[len(text)]
}

// runBuiltin checks the arguments and, when nothing is wrong with them, does it.
func (r *Registry) runBuiltin(b *builtin, call *Call, result *Result) *Task {
	in := input{registry: r, host: r.host.Load(), arguments: call.Arguments}
	if in.read(b); len(in.problems) > 0 {
		result.refuse(StatusInvalidArguments, say("?: ?", b.name, in.message()))
		return nil
	}
	x := &execution{name: b.name, registry: r, host: in.host, arguments: in.arguments, source: call.Source, depth: call.Depth}
	switch {
	case x.host.older(b.since):
		x.end(StatusUnsupported, say("? needs iOS ?.? or later, this is $", b.name, decimal(b.since.major), decimal(b.since.minor),
			x.host.Version))
	case b.needs() == "" || x.has(b.needs()):
		x.attempt(func() { b.run(x) })
	}
	return (*Task)(&x.Completion).unlessDone(result)
}
