package check_test

import (
	"slices"
	"strings"
	"time"
)

// times counts the rows of a file that have a value.
func (b *book) times(name, path, value string) int { return len(b.all(name, path, value)) }

var plantedInPeople = []planted{
	{"a profile with another custom identifier in one row", "profile-identifiers", func(b *book) []*line {
		l := b.find("profiles.events", func(l *line) bool {
			push := strings.HasPrefix(l.get("event_type"), "push") // which another file may tell of the one
			return !push && l.get("identifiers/custom_id") != "" && b.times("profiles.events", profileOf, l.get(profileOf)) > 2
		})
		return []*line{l.set("identifiers/custom_id", "user-somebody")}
	}, nil, nil},
	{"two profiles with one custom identifier", "profile-identifiers", func(b *book) []*line {
		first := b.find("profiles.attributes", func(l *line) bool { return l.get("identifiers/custom_id") != "" })
		second := b.find("profiles.attributes", func(l *line) bool {
			return l != first && l.get("identifiers/custom_id") == "" && l.value("identifiers/installation_ids") == nil
		})
		return []*line{second.set("identifiers/custom_id", first.get("identifiers/custom_id"))}
	}, nil, nil},
	{"another person on an installation", "installation-identifiers", func(b *book) []*line {
		l := b.find("in-app-campaign.events", func(l *line) bool {
			return l.get("custom_id") != "" && b.times("in-app-campaign.events", "install_id", l.get("install_id")) > 4
		})
		return []*line{l.set("custom_id", "user-somebody")}
	}, []string{"projection"}, nil},
	{"another person in the userbase", "installation-identifiers", func(b *book) []*line {
		l := b.find("userbase", func(l *line) bool {
			return l.get("custom_id") != "" && b.times("campaign.ids", "install_id", l.get("install_id")) > 0
		})
		return []*line{l.set("custom_id", "user-somebody")}
	}, nil, nil},
	{"another device", "installation-identifiers", func(b *book) []*line {
		l := b.find("userbase", func(l *line) bool {
			return l.get("advertising_id") != "" && b.times("campaign.ids", "install_id", l.get("install_id")) > 0
		})
		return []*line{l.set("advertising_id", "00000000-0000-4000-8000-000000000000")}
	}, nil, nil},
	{"another platform", "installation-identifiers", func(b *book) []*line {
		l := b.find("profiles.reachability", func(l *line) bool { return l.get("event/platform") == "iOS" })
		return []*line{l.set("event/platform", "Android")}
	}, nil, nil},
	{"an installation of two profiles", "installation-identifiers", func(b *book) []*line {
		first := b.find("profiles.attributes", func(l *line) bool { return l.value("identifiers/installation_ids") != nil })
		second := b.find("profiles.attributes", func(l *line) bool {
			return l.value("identifiers/installation_ids") == nil && l.get("identifiers/custom_id") == ""
		})
		second.set("identifiers/installation_ids", []any{first.value("identifiers/installation_ids").([]any)[0]})
		return []*line{second}
	}, nil, nil},
	{"a linked installation without its person", "link", func(b *book) []*line {
		return []*line{b.find("reachability.events", func(l *line) bool { return l.get("has_custom_id") == "true" }).set("custom_id", "")}
	}, nil, nil},
	{"a message without the person to whom the installation is linked", "link", func(b *book) []*line {
		l := b.find("in-app-campaign.events", func(l *line) bool {
			linked := ""
			for _, change := range b.all("reachability.events", "install_id", l.get("install_id")) {
				if change.time().Before(l.time()) {
					linked = change.get("has_custom_id")
				}
			}
			return linked == "true" && b.times("in-app-campaign.ids", "install_id", l.get("install_id")) > 1
		})
		return append(b.all("in-app-campaign.ids", "install_id", l.get("install_id")), l.set("custom_id", ""))
	}, []string{"projection"}, nil},
	{"another e-mail address in one message", "contact", func(b *book) []*line {
		rows := b.file("profiles.events").rows
		for _, l := range rows[len(rows)/2:] {
			if l.get("event_type") == "email_delivered" && b.times("profiles.reachability", profileOf, l.get(profileOf)) == 0 {
				return []*line{l.set("email_address", "somebody@example.com")}
			}
		}
		panic(errNoRow)
	}, nil, nil},
	{"another e-mail address in the attributes of one whose consent alone changed", "contact", func(b *book) []*line {
		l := b.find("profiles.attributes", func(l *line) bool {
			wrote, consent := false, false
			for _, event := range b.all("profiles.events", profileOf, l.get(profileOf)) {
				wrote = wrote || event.get("email_address") != ""
			}
			for _, change := range b.all("profiles.reachability", profileOf, l.get(profileOf)) {
				reason := change.value("event/reasons").([]any)[0].(string)
				if strings.Contains(reason, "EMAIL_ADDRESS") {
					return false
				}
				consent = consent || strings.Contains(reason, "EMAIL_MARKETING")
			}
			return wrote && consent && l.get("attributes/$email_address") != ""
		})
		return []*line{l.set("attributes/$email_address", "somebody@example.com")}
	}, nil, nil},
	{"another telephone number in the attributes", "contact", func(b *book) []*line {
		l := b.find("profiles.attributes", func(l *line) bool {
			wrote := false
			for _, event := range b.all("profiles.events", profileOf, l.get(profileOf)) {
				wrote = wrote || event.get("phone_number") != ""
			}
			return wrote && l.get("attributes/$phone_number") != "" && b.times("profiles.reachability", profileOf, l.get(profileOf)) == 0
		})
		number := l.get("attributes/$phone_number")
		last := string('0' + ('9'-number[len(number)-1])%10)
		if last == number[len(number)-1:] {
			last = "0"
		}
		return []*line{l.set("attributes/$phone_number", number[:len(number)-1]+last)}
	}, nil, nil},
	{"another region", "places", func(b *book) []*line {
		l := b.find("profiles.attributes", func(l *line) bool { return l.get("attributes/$region") != "JP" })
		return []*line{l.set("attributes/$region", "JP")}
	}, nil, nil},
	{"another time zone", "places", func(b *book) []*line {
		return []*line{b.file("profiles.attributes").at(11).set("attributes/$timezone", "America/Argentina/Ushuaia")}
	}, nil, nil},
	{"another language", "places", func(b *book) []*line {
		return []*line{b.file("profiles.attributes").at(11).set("attributes/$language", "ja")}
	}, nil, nil},
	{"another country of the telephone", "places", func(b *book) []*line {
		l := b.find("profiles.events", func(l *line) bool { return l.get("phone_country") != "" })
		return []*line{l.set("phone_country", "JP")}
	}, nil, nil},
	{"a profile that was made after its first message", "creation", func(b *book) []*line {
		first := b.file("profiles.events").at(0)
		l := b.find("profiles.attributes", func(l *line) bool { return l.get(profileOf) == first.get(profileOf) })
		return []*line{l.set("attributes/$creation_date", first.time().Add(time.Second).Format(time.RFC3339))}
	}, nil, nil},
	{"an installation that was made after its first message", "creation", func(b *book) []*line {
		first := b.file("in-app-campaign.events").at(0)
		l := b.find("userbase", func(l *line) bool { return l.get("install_id") == first.get("install_id") })
		return []*line{l.set("install_date", first.time().Add(time.Second).Format("2006-01-02T15:04:05"))}
	}, nil, nil},
	{"an installation that was started before it was made", "creation", func(b *book) []*line {
		l := b.find("userbase", func(l *line) bool { // nothing else tells of a later start
			return l.get("smart_segment") == "inactive" && !slices.ContainsFunc(b.file("in-app-campaign.events").rows, func(other *line) bool {
				return other.get("install_id") == l.get("install_id")
			})
		})
		return []*line{l.set("last_start_date", "2001-01-01T00:00:00")}
	}, nil, nil},
}
