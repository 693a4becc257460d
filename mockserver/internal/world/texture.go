package world

import (
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
)

// textured makes the texts of a fact awkward. The same thing, such as a person or a message, has the same text in all files.
func (w *World) textured(name string, fact Fact) Fact {
	number, kind, hostile := func(r *Row) uint64 { return uint64(r.Person.number) }, texture.Names, false
	switch name {
	case vocabulary.CustomID:
		kind = texture.Identifiers
	case vocabulary.EmailAddress:
		kind = texture.Addresses
	case vocabulary.MailboxProvider:
		hostile = true
	case vocabulary.AdvertisingID:
		kind, number = texture.Devices, func(r *Row) uint64 { return r.installation().key }
	case vocabulary.OrchestrationName, vocabulary.StepName:
		number = func(r *Row) uint64 { return uint64(r.Campaign.number) }
	case vocabulary.ClickURL:
		kind, number = texture.Links, func(r *Row) uint64 { return r.Message }
	case vocabulary.ClickURLName:
		hostile, number = true, func(r *Row) uint64 { return r.Message }
	default:
		return fact
	}
	if w.Texture() == nil || hostile && !w.Texture().Hostile() {
		return fact
	}
	column := w.Texture().Column(name, kind)
	if kind == texture.Identifiers {
		column = w.customs
	}
	plain := fact.Text
	fact.Awkward = true
	fact.Text = func(dst []byte, r *Row) []byte { return column.Apply(plain(dst, r), len(dst), number(r)) }
	return fact
}
