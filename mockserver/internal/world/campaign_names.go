package world

import "strconv"

// campaignNames are what teams call their campaigns: those that go out in bursts, and
// those that follow what a person does.
var campaignNames = map[bool][]string{
	true: {
		"Weekly newsletter", "Flash sale", "New collection", "Weekend offers", "Members' preview", "Price drop", "Back in stock", "Seasonal guide",
		"App exclusive", "Customer survey", "Last chance", "Gift ideas", "Product update", "Local events", "Free delivery week", "Year in review",
	},
	false: {
		"Welcome series", "Abandoned basket", "Order confirmation", "Win back", "Birthday", "Review request", "Onboarding tips", "Delivery update",
		"Replenishment", "Loyalty points", "Browse reminder", "Subscription renewal", "First purchase", "Account news", "Appointment reminder", "Referral",
	},
}

// stepNames are what teams call the messages of a campaign.
var stepNames = [...]string{"First message", "Reminder", "Follow-up", "Last call"}

// campaignName is the name of an orchestration, and the number behind it: those of one
// name are numbered from 2 on; 0: there is none.
func (w *World) campaignName(orchestration int32) (name string, number int64) {
	burst, nth := false, int64(orchestration)
	if all := w.orchestrations.all; int(orchestration) < len(all) {
		burst, nth = all[orchestration].burst, int64(all[orchestration].nth)
	}
	names := campaignNames[burst]
	first := below(draw(w.keys.orchestration, ^uint64(0)), int64(len(names)))
	if number = nth/int64(len(names)) + 1; number == 1 {
		number = 0
	}
	return names[(first+nth)%int64(len(names))], number
}

func (w *World) appendCampaignName(dst []byte, r *Row) []byte {
	name, number := w.campaignName(r.Orchestration)
	if dst = append(dst, name...); number > 0 {
		dst = strconv.AppendInt(append(dst, ' '), number, 10)
	}
	return dst
}

func (w *World) campaignNameLength(r *Row) int {
	name, number := w.campaignName(r.Orchestration)
	if number > 0 {
		return len(name) + len(" ") + digits(number, 10)
	}
	return len(name)
}
