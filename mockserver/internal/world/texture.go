package world

import (
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
)

// texturedFact is a fact that holds free text, and which number a row's text has: the same thing has the same text in all files.
type texturedFact struct {
	kind    texture.Kind
	number  func(r *Row) uint64
	hostile bool // only in a hostile world
}

func texturedAs(name string) (found texturedFact, is bool) {
	person := func(r *Row) uint64 { return uint64(r.Person.number) }
	campaign := func(r *Row) uint64 { return uint64(r.Campaign.number) }
	message := func(r *Row) uint64 { return r.Message }
	switch name {
	case vocabulary.CustomID:
		return texturedFact{texture.Identifiers, person, false}, true
	case vocabulary.EmailAddress:
		return texturedFact{texture.Addresses, person, false}, true
	case vocabulary.MailboxProvider:
		return texturedFact{texture.Names, person, true}, true
	case vocabulary.AdvertisingID:
		return texturedFact{texture.Devices, func(r *Row) uint64 { return r.installation().key }, false}, true
	case vocabulary.OrchestrationName, vocabulary.StepName:
		return texturedFact{texture.Names, campaign, false}, true
	case vocabulary.ClickURL:
		return texturedFact{texture.Links, message, false}, true
	case vocabulary.ClickURLName:
		return texturedFact{texture.Names, message, true}, true
	}
	return found, false
}

// textured makes the texts of a fact awkward.
func (w *World) textured(name string, fact Fact) Fact {
	found, is := texturedAs(name)
	if !is || w.Texture() == nil || found.hostile && !w.Texture().Hostile() {
		return fact
	}
	column := w.Texture().Column(name, found.kind)
	if found.kind == texture.Identifiers {
		column = w.customs
	}
	plain := fact.Text
	fact.Awkward = true
	fact.Text = func(dst []byte, r *Row) []byte {
		begin := len(dst)
		return column.Apply(plain(dst, r), begin, found.number(r))
	}
	return fact
}
