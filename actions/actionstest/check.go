package actionstest

import (
	"fmt"
	"maps"
	"slices"
)

// Subject is something that vectors are run on.
type Subject interface {
	// Do does a step. The function it gives tells the answer, and nil as long as there is none. Answers are
	//
	//	register            {"ok": true} or {"ok": false, "error": code}
	//	unregister, dispose {"removed": bool}, with "error": code when it was refused
	//	perform, trigger    {"status", "message", "value", "items"}
	//	start               {"ok": true}
	//	validate            {"ok": bool, "at": [pointers]}
	//	capability          {"state": state}
	//	list                {"identifiers": [...]}
	Do(Step) func() map[string]any
	// Turn lets the next thing happen that was left for a later turn, and reports whether there was one.
	Turn() bool
	// Effects gives the effects so far.
	Effects() []Effect
}

// Check runs a vector on a subject and gives everything that is not as the vector says.
func Check(v Vector, subject Subject) (problems []string) {
	started := false
	var held []func()
	for i, step := range v.Steps {
		answer := subject.Do(step)
		look := func() {
			got := answer()
			for got == nil && subject.Turn() {
				got = answer()
			}
			problem := ""
			switch {
			case got != nil:
				problem = differs(step, got)
			case step.Do != "trigger" || started || step.Expect != nil:
				problem = "there is no answer"
			}
			if problem != "" {
				problems = append(problems, fmt.Sprintf("step %d (%s %q): %s", i, step.Do, step.Subject, problem))
			}
		}
		if step.Do == "trigger" && !started && answer() == nil {
			held = append(held, look) // looked at after the start
			continue
		}
		look()
		if step.Do == "start" {
			started = true
			for _, look := range held {
				look()
			}
			held = nil
		}
	}
	for _, look := range held {
		look()
	}
	for subject.Turn() {
		continue
	}
	if v.Effects != nil {
		if problem := sameEffects(v.Effects, subject.Effects()); problem != "" {
			problems = append(problems, problem)
		}
	}
	return problems
}

// differs says where an answer lacks something of what a step expects. The order of the places that validate points at is free.
func differs(step Step, answer map[string]any) string {
	expected := step.Expect
	if _, some := expected["at"]; some && step.Do == "validate" {
		expected, answer = maps.Clone(expected), maps.Clone(answer)
		expected["at"], answer["at"] = sorted(expected["at"]), sorted(answer["at"])
	}
	difference := partOf(expected, answer)
	if difference == "" {
		return ""
	}
	return difference + "; the answer is " + Effect(answer).String()
}

func sorted(list any) any {
	texts, ok := list.([]any)
	if !ok {
		return list
	}
	return slices.SortedFunc(slices.Values(texts), func(a, b any) int {
		if fmt.Sprint(a) < fmt.Sprint(b) {
			return -1
		}
		return 1
	})
}
