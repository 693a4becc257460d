package world

import (
	"encoding/json"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
)

// Fact finds a fact by its name, for example "installation.id"; false: the world does not have it.
func (v *View) Fact(name string) (Fact, bool) { return v.fact(name, false) }

// Demanded is a fact of which given rows have a value in any case: one that nobody gave is drawn.
func (v *View) Demanded(name string) (Fact, bool) { return v.fact(name, true) }

func (v *View) fact(name string, demanded bool) (Fact, bool) {
	for of, find := range []func(string) (Fact, bool){
		v.installationFact, v.profileFact, v.dateFact, v.eventFact, v.campaignFact,
	} {
		if fact, known := find(name); known {
			fact = v.w.textured(name, fact)
			if v.given != nil {
				fact = givenFact(name, fact, [...]giver{givesInstallation, givesPerson, givesPerson, givesEvent, givesEvent}[of], demanded)
			}
			return fact, true
		}
	}
	return Fact{}, false
}

// giver finds the given row that says something of a fact; nil: it was drawn.
type giver func(r *Row) Values

func givesInstallation(r *Row) Values {
	if of := r.installation(); of != nil && of.given != nil {
		return of.given.Values
	}
	return nil
}

func givesPerson(r *Row) Values {
	if r.Person.isOwn {
		return r.Person.given.Values
	}
	return nil
}

func givesEvent(r *Row) Values {
	if r.given == nil {
		return nil
	}
	return r.given.Values
}

// givenFollows says of facts that a person has by what happened to them whether a given person has one; nil: as others do.
var givenFollows = map[string]func(r *Row, drawn *Fact) bool{
	vocabulary.InstallDate: nil, vocabulary.LastStartDate: nil, vocabulary.IsOptIn: nil, vocabulary.IsReachable: nil,
	vocabulary.HasCustomID:     nil,
	vocabulary.HasEmailAddress: nil, vocabulary.HasPhoneNumber: nil, vocabulary.ProfileInstallations: nil,
	vocabulary.EventType: nil, vocabulary.EventDate: nil, vocabulary.EventChannel: nil, vocabulary.EventReasons: nil,
	vocabulary.EmailMarketing: func(r *Row, _ *Fact) bool { return r.Person.began[channelEmail].known },
	vocabulary.SMSMarketing:   func(r *Row, _ *Fact) bool { return r.Person.began[channelSMS].known },
	vocabulary.LastVisitDate:  happened, vocabulary.LastActivity: happened,
	vocabulary.LastEmailMarketingOpen: happened, vocabulary.LastEmailMarketingClick: happened,
	vocabulary.LastEmailTransactionalOpen: happened, vocabulary.LastEmailTransactionalClick: happened,
}

func happened(r *Row, drawn *Fact) bool { return drawn.Time(r) != 0 }

// plainest are texts of given rows that must have one, and of which no row tells. Others are drawn as for everybody.
var plainest = map[string]string{
	vocabulary.Platform: "android", vocabulary.SmartSegment: "active", vocabulary.CTA: "service.dismiss",
	vocabulary.ClickURL: "https://www.example.com/", vocabulary.ClickURLName: "example", vocabulary.MessageLanguage: defaultLanguage,
	vocabulary.BounceCode: "unknown", vocabulary.BounceType: "hard", vocabulary.OrchestrationName: "Orchestration",
	vocabulary.StepName:        "Step",
	vocabulary.ABTestingStatus: "NONE", vocabulary.ABTestingVariant: "NONE",
}

// givenFact is a fact that prints what was given, and else what was drawn: of the world, or where a row must have a value.
func givenFact(name string, drawn Fact, gives giver, demanded bool) Fact {
	made := drawn
	absent := func(r *Row) bool { return drawn.Absent != nil && drawn.Absent(r) }
	without := func(*Row) bool { return true } // whether a given row has no value where it says nothing
	given := func(r *Row) (text string, number int64, is bool) {
		if of := gives(r); of != nil {
			return of.Given(name)
		}
		return "", 0, false
	}
	has, follows := givenFollows[name]
	switch {
	case follows && has == nil:
		return made
	case follows:
		given = func(*Row) (string, int64, bool) { return "", 0, false }
		without = func(r *Row) bool { return !has(r, &drawn) }
	case name == vocabulary.Platform:
		without = func(*Row) bool { return false }
	case name == vocabulary.CustomID:
		given = func(r *Row) (string, int64, bool) {
			if !r.Person.isOwn || absent(r) {
				return "", 0, false
			}
			return r.Person.given.CustomID, 0, true
		}
		without = absent
	case name == vocabulary.EmailAddress || name == vocabulary.PhoneNumber:
		of := channelEmail
		if name == vocabulary.PhoneNumber {
			of = channelSMS
		}
		without, gives = absent, func(r *Row) Values {
			if values := givesEvent(r); values != nil { // it may have been sent to another one
				if _, _, is := values.Given(name); is {
					return values
				}
			}
			return givesPerson(r)
		}
		given = func(r *Row) (text string, number int64, is bool) {
			values := gives(r)
			if values == nil {
				return "", 0, false
			}
			if text, number, is = values.Given(name); !is && !absent(r) {
				text = r.Person.address(of, r.Person.standing(of, -1, r.Time).version)
			}
			return text, number, text != "" // no texture changes it
		}
	case name == vocabulary.BirthDate:
		given = func(r *Row) (string, int64, bool) {
			born, is := r.bornAsGiven()
			return born.Format(time.DateOnly), 0, is
		}
	case name == vocabulary.Age:
		given = func(r *Row) (string, int64, bool) { age, is := r.ageAsGiven(); return "", age, is }
	}
	made.Absent = func(r *Row) bool {
		if gives(r) == nil {
			return absent(r)
		}
		if demanded {
			return false
		}
		_, _, is := given(r)
		return !is && without(r)
	}
	number := func(of func(*Row) int64) func(*Row) int64 {
		return func(r *Row) int64 {
			if _, number, is := given(r); is {
				return number
			}
			return of(r)
		}
	}
	switch {
	case drawn.Flag != nil:
		made.Flag = func(r *Row) bool {
			if _, number, is := given(r); is {
				return number != 0
			}
			return drawn.Flag(r)
		}
	case drawn.Number != nil:
		made.Number = number(func(r *Row) int64 {
			if name == vocabulary.SMSParts && gives(r) != nil {
				return 1
			} else if name == vocabulary.CTAPosition && gives(r) != nil {
				return 0
			}
			return drawn.Number(r)
		})
	case drawn.Time != nil && !follows:
		made.Time = number(drawn.Time)
	case drawn.Text != nil || drawn.Choice != nil && !follows:
		made.Choice, made.Names, made.Awkward = nil, nil, true
		made.Text = func(dst []byte, r *Row) []byte {
			switch text, _, is := given(r); {
			case is:
				return append(dst, text...)
			case plainest[name] != "" && gives(r) != nil:
				return append(dst, plainest[name]...)
			case drawn.Choice != nil:
				return append(dst, drawn.Names[drawn.Choice(r)]...)
			}
			return drawn.Text(dst, r)
		}
	}
	return made
}

// bornAsGiven is the birthday of a given person, under one of the names that mean it.
func (r *Row) bornAsGiven() (date time.Time, known bool) {
	for _, name := range [...]string{"birth_date", "birthdate", "birthday", "date_of_birth"} {
		held, _ := r.Attribute(name)
		if text, is := held.(string); is {
			if date, err := time.Parse(time.DateOnly, text); err == nil {
				return date, true
			}
		}
	}
	return time.Time{}, false
}

// ageAsGiven is the age of a given person, or that which follows from the birthday.
func (r *Row) ageAsGiven() (age int64, known bool) {
	if held, _ := r.Attribute("age"); held != nil {
		number, _ := held.(json.Number)
		age, err := number.Int64()
		return age, err == nil
	}
	born, known := r.bornAsGiven()
	return ageAt(born, r.Time), known
}
