package world

import (
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
)

// texturedFact is a fact whose texts become awkward, and which number a row's
// text has: the same thing has the same text in all files.
type texturedFact struct {
	name    string
	kind    texture.Kind
	number  func(r *Row) uint64
	hostile bool // only in a hostile world
}

func profileNumber(r *Row) uint64      { return uint64(r.Profile) }
func installationNumber(r *Row) uint64 { return uint64(r.Installation) }

func orchestrationNumber(r *Row) uint64 { return uint64(r.Orchestration) }
func messageNumber(r *Row) uint64       { return r.Message }

// texturedFacts are the facts that hold free text: identifiers that customers
// chose, addresses, labels. Those that hold words of a list are not among them.
var texturedFacts = [...]texturedFact{
	{name: vocabulary.CustomID, kind: texture.Identifiers, number: profileNumber},
	{name: vocabulary.EmailAddress, kind: texture.Addresses, number: profileNumber},
	{name: vocabulary.MailboxProvider, kind: texture.Names, number: profileNumber, hostile: true},
	{name: vocabulary.AdvertisingID, kind: texture.Devices, number: installationNumber},
	{name: vocabulary.OrchestrationName, kind: texture.Names, number: orchestrationNumber},
	{name: vocabulary.StepName, kind: texture.Names, number: orchestrationNumber},
	{name: vocabulary.ClickURL, kind: texture.Links, number: messageNumber},
	{name: vocabulary.ClickURLName, kind: texture.Names, number: messageNumber, hostile: true},
}

// Texture is what becomes of texts of the world; nil when they stay as they are.
func (w *World) Texture() *texture.Texture { return texture.New(w.settings.Texture, w.seed) }

// Awkward reports whether the text of a fact may hold any characters where its
// Length is below zero.
func (w *World) Awkward(name string) bool { return w.Texture() != nil && w.texturedAs(name) != nil }

// texturedAs says how the texts of a fact become awkward; nil: they do not.
func (w *World) texturedAs(name string) *texturedFact {
	for i := range texturedFacts {
		if found := &texturedFacts[i]; found.name == name && (!found.hostile || w.Texture().Hostile()) {
			return found
		}
	}
	return nil
}

// textured makes the texts of a fact awkward.
func (w *World) textured(name string, fact Fact) Fact {
	made, found := w.Texture(), w.texturedAs(name)
	if made == nil || found == nil {
		return fact
	}
	column, plain, length, width, number := made.Column(name, found.kind), fact.Text, fact.Length, fact.Width, found.number
	fact.Text = func(dst []byte, r *Row) []byte {
		begin := len(dst)
		return column.Apply(plain(dst, r), begin, number(r))
	}
	fact.Width, fact.Hints.Optional = 0, nil
	fact.Length = func(r *Row) int {
		switch {
		case column.Touches(number(r)) || width == 0 && length == nil:
			return -1
		case width > 0:
			return width
		}
		return length(r)
	}
	return fact
}

// awkwardCustomID is the profile with a custom identifier that is not what it
// was, if there is one.
func (w *World) awkwardCustomID(id string) (int64, bool) {
	column := w.Texture().Column(vocabulary.CustomID, texture.Identifiers)
	profile, found := int64(0), false
	if number, is := column.Literal(id); is {
		profile, found = int64(number), number < uint64(w.profiles) && w.hasCustomID(int64(number))
	} else if plain, is := texture.Plain(id, customPrefix); is {
		profile, found = w.profileByPlainCustomID(plain)
	}
	if !found {
		return 0, false
	}
	text := w.appendCustomID(nil, profile)
	return profile, string(column.Apply(text, 0, uint64(profile))) == id
}
