package world

// Fact is a value of the world that a member or column prints (the schema
// keyword x-source). Exactly one of the functions without "Absent" is set and
// says what kind of value it is. Texts are ASCII without quotes, semicolons,
// backslashes and control characters, so they stand in CSV and JSON as they
// are.
type Fact struct {
	Text   func(dst []byte, row *Row) []byte
	Flag   func(row *Row) bool
	Number func(row *Row) int64
	Time   func(row *Row) int64
	Choice func(row *Row) int // an index in Names
	Names  []string
	// Each adds a row for every item of a list to items.
	Each func(row *Row, items []Row) []Row
	// Words is a text that may hold any characters.
	Words func(row *Row) string
	// Constant is the same for all rows, and may hold any characters.
	Constant func() string
	// Absent says that there is no value; nil: there always is.
	Absent func(row *Row) bool
	// PerOrchestration says that the value depends on nothing of a row but its
	// orchestration.
	PerOrchestration bool
	// Width is how many bytes Text always adds; 0: they differ.
	Width int
	// Length is how many bytes Text adds for a row; nil: the width says, or
	// only writing it tells.
	Length func(row *Row) int
}

// Scope is what facts need to know beside the row.
type Scope struct {
	APIKey string // the application key that event rows show
	View   View   // the view whose rows the facts are of
	// Messages is the view of ViewProfileMessages from which a profile's latest
	// opens and clicks are told; nil: they are absent.
	Messages View
}

// Fact finds a fact by its name, for example "installation.id". It reports
// false for a name that the world does not have.
func (w *World) Fact(name string, scope Scope) (Fact, bool) {
	for _, group := range []func(string, Scope) (Fact, bool){
		w.installationFact, w.profileFact, w.eventFact, w.orchestrationFact,
	} {
		if fact, found := group(name, scope); found {
			return fact, true
		}
	}
	return Fact{}, false
}

func (w *World) installationFact(name string, _ Scope) (Fact, bool) {
	none := func(r *Row) bool { return r.Installation < 0 }
	switch name {
	case "installation.id":
		return Fact{Absent: none, Width: uuidWidth, Text: func(dst []byte, r *Row) []byte {
			return appendUUID(dst, w.keys.installation, uint64(r.Installation))
		}}, true
	case "installation.advertising_id":
		return Fact{
			Absent: func(r *Row) bool { return r.Installation < 0 || !w.hasAdvertisingID(r.Installation) },
			Width:  uuidWidth,
			Text: func(dst []byte, r *Row) []byte {
				return appendUUID(dst, w.keys.advertising, uint64(r.Installation))
			},
		}, true
	case "installation.platform":
		return Fact{Absent: none, Names: platformNames, Choice: func(r *Row) int { return w.platformOf(r.Installation) }}, true
	case "installation.install_date":
		return Fact{Absent: none, Time: func(r *Row) int64 { return w.installation(r) }}, true
	case "installation.last_start_date":
		return Fact{Absent: none, Time: func(r *Row) int64 { return w.start(r) }}, true
	case "installation.smart_segment":
		return Fact{Absent: none, Names: smartSegments, Choice: func(r *Row) int {
			return w.smartSegmentOf(r)
		}}, true
	case "installation.is_optin":
		return Fact{Absent: none, Flag: func(r *Row) bool { return w.state(changeOptIn, r.Installation, r) }}, true
	case "installation.is_reachable":
		return Fact{Absent: none, Flag: func(r *Row) bool { return w.state(changeReachable, r.Installation, r) }}, true
	case "installation.has_custom_id":
		return Fact{Absent: none, Flag: w.isLinked}, true
	}
	return Fact{}, false
}

// isLinked says whether an installation is linked to a profile with a custom
// identifier at the moment of the row.
func (w *World) isLinked(r *Row) bool {
	return w.hasCustomID(r.Profile) && w.state(changeLinked, r.Installation, r)
}

func (w *World) profileFact(name string, scope Scope) (Fact, bool) {
	noEmail := func(r *Row) bool { return !w.state(changeEmailPresent, r.Profile, r) }
	noPhone := func(r *Row) bool { return !w.state(changePhonePresent, r.Profile, r) }
	consent := func(kind changeKind, absent func(*Row) bool) Fact {
		return Fact{Absent: absent, Names: consentNames, Choice: func(r *Row) int {
			if w.state(kind, r.Profile, r) {
				return 1
			}
			return 0
		}}
	}
	switch name {
	case "profile.id":
		return Fact{Width: len("profile_") + opaqueWidth, Text: func(dst []byte, r *Row) []byte {
			return appendOpaque(append(dst, "profile_"...), w.keys.profile, uint64(r.Profile))
		}}, true
	case "profile.custom_id":
		return Fact{
			Absent: func(r *Row) bool { return !w.hasCustomID(r.Profile) || r.linkedID && !w.isLinked(r) },
			Text: func(dst []byte, r *Row) []byte {
				return appendHex(append(dst, "user-"...), draw(w.keys.custom, uint64(r.Profile)))
			},
			Width: len("user-") + hexWidth,
		}, true
	case "profile.creation_date":
		return Fact{Time: func(r *Row) int64 { return w.createdAt(r.Profile) }}, true
	case "profile.email_address":
		return Fact{Absent: noEmail, Text: func(dst []byte, r *Row) []byte {
			return w.appendEmail(dst, r)
		}, Length: w.emailLength}, true
	case "profile.mailbox_provider":
		fact := textFact(func(r *Row) string {
			return mailDomains[w.mailDomainOf(r)].provider
		})
		fact.Absent = noEmail
		return fact, true
	case "profile.phone_number":
		return Fact{Absent: noPhone, Text: func(dst []byte, r *Row) []byte {
			return w.appendPhone(dst, r)
		}, Length: w.phoneLength}, true
	case "profile.phone_country":
		fact := textFact(func(r *Row) string { return w.placeOf(r.Profile).region })
		fact.Absent = noPhone
		return fact, true
	case "profile.email_marketing":
		return consent(changeEmailConsent, noEmail), true
	case "profile.sms_marketing":
		return consent(changeSMSConsent, noPhone), true
	case "profile.has_email_address":
		return Fact{Flag: func(r *Row) bool { return !noEmail(r) }}, true
	case "profile.has_phone_number":
		return Fact{Flag: func(r *Row) bool { return !noPhone(r) }}, true
	case "profile.language":
		return textFact(func(r *Row) string { return w.languageOf(r.Profile) }), true
	case "profile.region":
		return textFact(func(r *Row) string { return w.placeOf(r.Profile).region }), true
	case "profile.timezone":
		return textFact(func(r *Row) string { return w.placeOf(r.Profile).timezone }), true
	case "profile.last_visit_date":
		last := w.latestIn(scope)
		return Fact{Time: func(r *Row) int64 { return w.lastVisit(r, last) }}, true
	case "profile.last_activity":
		last, opened, clicked := w.latestIn(scope), w.transactional(0), w.transactional(1)
		return Fact{Time: func(r *Row) int64 {
			at := max(w.lastVisit(r, last), last.of(r, latestEmailOpen), last.of(r, latestEmailClick))
			for _, fact := range [...]*Fact{&opened, &clicked} {
				if !fact.Absent(r) {
					at = max(at, fact.Time(r))
				}
			}
			return at
		}}, true
	case "profile.last_email_marketing_open":
		return w.latestIn(scope).fact(latestEmailOpen), true
	case "profile.last_email_marketing_click":
		return w.latestIn(scope).fact(latestEmailClick), true
	case "profile.last_email_transactional_open":
		return w.transactional(0), true
	case "profile.last_email_transactional_click":
		return w.transactional(1), true
	case "profile.installations":
		return Fact{
			Absent: func(r *Row) bool {
				none := true
				w.installed(r.Profile, r.Time, func(int64) { none = false })
				return none
			},
			Each: func(r *Row, items []Row) []Row {
				item := *r
				item.cache = rowCache{}
				w.installed(r.Profile, r.Time, func(installation int64) {
					item.Installation = installation
					items = append(items, item)
				})
				return items
			},
		}, true
	}
	return Fact{}, false
}

// textFact is a text of a few that are there already.
func textFact(of func(*Row) string) Fact {
	return Fact{
		Text:   func(dst []byte, r *Row) []byte { return append(dst, of(r)...) },
		Length: func(r *Row) int { return len(of(r)) },
	}
}

var consentNames = []string{"unsubscribed", "subscribed"}

func (l *latest) fact(event int) Fact {
	return Fact{
		Time:   func(r *Row) int64 { return l.of(r, event) },
		Absent: func(r *Row) bool { return l.of(r, event) == 0 },
	}
}

// transactional is the latest open or click of a transactional e-mail, which
// no export tells as an event. Some people click each one that they open,
// within an hour; an open shows after that hour.
func (w *World) transactional(clicks int64) Fact {
	key := func(r *Row) uint64 { return draw(w.keys.transactional, uint64(r.Profile)) }
	opened := func(r *Row) int64 {
		at := lastOccurrence(key(r), w.activityOf(r.Profile), r.Time-3600)
		if !w.createdBefore(r.Profile, at) || !w.timelineOf(changeEmailPresent).holdsThroughout(true, r.Profile, at, at+3600) {
			return 0
		}
		return at
	}
	return Fact{
		Absent: func(r *Row) bool {
			return !w.usuallyHasEmail(r.Profile) || key(r)>>8%100 >= uint64(45-25*clicks) || opened(r) == 0
		},
		Time: func(r *Row) int64 { return opened(r) + clicks*(1+below(mix(key(r)), 3599)) },
	}
}
