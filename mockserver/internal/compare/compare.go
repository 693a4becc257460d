package compare

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/compare/conversation"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Options are what is compared, and how.
type Options struct {
	Library       *schemas.Library
	Conversations []*conversation.Conversation
	A, B          *Service
	// Patience is the longest time that a step may really wait for.
	Patience time.Duration
	// Keep is where transcripts are kept; nil keeps none.
	Keep *Keep
	// Progress is told what is done next; nil is not.
	Progress func(string)
}

// Result is what came of it.
type Result struct {
	Differences []Difference
	Had         []Had
}

// Had is one conversation.
type Had struct {
	Name  string `json:"name"`
	About string `json:"about"`
	// Undecided says why nothing is known; "" if something is.
	Undecided string `json:"undecided,omitempty"`
	// Once says why the first service was not asked a second time.
	Once string `json:"once,omitempty"`
	// Kept tells that nobody was asked: the transcripts were kept.
	Kept bool `json:"kept,omitempty"`
	// Both says what both do otherwise than the conversation expects.
	Both []string `json:"both,omitempty"`
	// Differs are the identifiers of the differences that were seen in it.
	Differs []string `json:"differs,omitempty"`
	// Hindered is the cause for which it could not be compared to its end.
	Hindered string `json:"hindered,omitempty"`
}

// Compare has all conversations with both services. The error is that of the context or of keeping.
func Compare(ctx context.Context, o Options) (*Result, error) {
	defer o.setBack(ctx)
	made := &Result{}
	var talks []talk
	for _, its := range o.Conversations {
		had := Had{Name: its.Name, About: its.About}
		a, again, b, err := o.have(ctx, its, &had)
		if err != nil {
			return nil, err
		}
		if had.Undecided == "" {
			talks = append(talks, talk{a, again, b})
			had.Both = both(a, b)
		}
		made.Had = append(made.Had, had)
	}
	d := &differ{made: map[string]*Difference{}, causes: causes(talks)}
	for _, each := range talks {
		d.compare(each.a, each.again, each.b)
	}
	made.Differences = d.all(talks)
	for i := range made.Had {
		for _, each := range made.Differences {
			if slices.ContainsFunc(each.Seen, func(seen string) bool {
				return seen == made.Had[i].Name || len(seen) > len(made.Had[i].Name) && seen[:len(made.Had[i].Name)+1] == made.Had[i].Name+"/"
			}) {
				made.Had[i].Differs = append(made.Had[i].Differs, each.ID)
			}
			if made.Had[i].Hindered == "" && slices.Contains(each.Relation.Hinders, made.Had[i].Name) {
				made.Had[i].Hindered = each.ID
			}
		}
	}
	return made, nil
}

// setBack leaves the clocks as they would be. If that fails, the comparison holds all the same.
func (o *Options) setBack(ctx context.Context) {
	for _, service := range []*Service{o.A, o.B} {
		if err := service.setBack(ctx); err != nil && o.Progress != nil {
			o.Progress(fmt.Sprintf("the clock of %s could not be set back by %v: %v", service.Name, service.time.moved, err))
		}
	}
}

// have has one conversation with a, with b, and with a again.
func (o *Options) have(ctx context.Context, its *conversation.Conversation, had *Had) (a, again, b *Transcript, err error) {
	for _, service := range []*Service{o.A, o.B} {
		if had.Undecided = o.keeps(its, service); had.Undecided != "" {
			return nil, nil, nil, nil
		}
	}
	had.Kept = true
	turn := func(service *Service, run string) (*Transcript, error) {
		if kept := o.Keep.read(its, service, run); kept != nil {
			return kept, nil
		}
		if !service.Budget.allows(its) {
			return &Transcript{Conversation: its.Name, Skipped: errBudget.Error()}, nil
		}
		if service.silent >= patient {
			return &Transcript{Conversation: its.Name, Skipped: errSilent.Error()}, nil
		}
		had.Kept = false
		if o.Progress != nil {
			o.Progress(fmt.Sprintf("%s with %s", its.Name, service.Name))
		}
		made, err := speak(ctx, o.Library, service, its)
		if err == nil {
			err = o.Keep.write(made, its, service, run)
		}
		return made, err
	}
	if a, err = turn(o.A, "a"); err != nil {
		return nil, nil, nil, err
	}
	if had.Undecided = a.undecided("a"); had.Undecided != "" {
		return nil, nil, nil, nil
	}
	if b, err = turn(o.B, "b"); err != nil {
		return nil, nil, nil, err
	}
	if had.Undecided = b.undecided("b"); had.Undecided != "" {
		return nil, nil, nil, nil
	}
	if again, err = turn(o.A, "a-again"); err != nil {
		return nil, nil, nil, err
	}
	if again.Skipped != "" {
		had.Once, again = again.Skipped, nil
	}
	return a, again, b, nil
}

func (t *Transcript) undecided(name string) string {
	if t.Skipped == "" {
		return ""
	}
	return name + ": " + t.Skipped
}

// keeps says why a conversation cannot be had with a service; "" if it can.
func (o *Options) keeps(its *conversation.Conversation, service *Service) string {
	if slices.Contains(its.Needs, conversation.Mock) && !service.Mock {
		return fmt.Sprintf("it needs a mock server, and %s is not said to be one: --mock %s", service.Name, service.Name)
	}
	if longest := its.LongestWait(); longest > o.Patience && !service.Mock && !service.Recorded {
		return fmt.Sprintf("it waits for %v, and --patience allows %v", longest, o.Patience)
	}
	return ""
}

// both is what neither does as expected.
func both(a, b *Transcript) (made []string) {
	for _, said := range a.Steps {
		other := b.step(said.Name)
		for _, unmet := range said.Unmet {
			if other != nil && slices.Contains(other.Unmet, unmet) {
				made = append(made, said.Name+": "+unmet)
			}
		}
	}
	return made
}

// Unmet has conversations with one service, and returns what is not as they expect, by CONVERSATION/STEP; a step without
// an entry was not reached.
func Unmet(ctx context.Context, library *schemas.Library, service *Service, conversations []*conversation.Conversation) (map[string][]string, error) {
	made := map[string][]string{}
	for _, its := range conversations {
		said, err := speak(ctx, library, service, its)
		if err != nil {
			return nil, err
		}
		for _, step := range said.Steps {
			made[its.Name+"/"+step.Name] = append([]string{}, step.Unmet...)
		}
		if !said.whole() {
			made[its.Name] = []string{said.Skipped + said.Broken}
		}
	}
	return made, nil
}
