package exports

// PartReference describes one part of a scenario to people.
type PartReference struct {
	// Name is its key.
	Name string
	// Forms are ways to write it, such as latency=200ms.
	Forms []string
	// About says what it does.
	About string
	// Staged tells that it is about an answer, so that a stage may stand before it, as in file.cut=1000.
	Staged bool
}

// Parts lists every part of a scenario, in the order in which [Scenario.String] writes them.
func Parts() []PartReference {
	return append(references(answerParts, true), references(exportParts, false)...)
}

func references[T any](parts []part[T], staged bool) (list []PartReference) {
	for _, p := range parts {
		forms := formsOf([]part[T]{p})
		for _, value := range p.also {
			forms = append(forms, p.name+"="+value)
		}
		list = append(list, PartReference{Name: p.name, Forms: forms, About: p.about, Staged: staged})
	}
	return list
}
