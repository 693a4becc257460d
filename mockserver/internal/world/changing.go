package world

// What changes.
const (
	ChangeEmailAddress = "email_address"
	ChangeEmailConsent = "email_consent"
	ChangePhoneNumber  = "phone_number"
	ChangePushOptIn    = "push_opt_in"
	ChangePushToken    = "push_token"
	ChangeSMSConsent   = "sms_consent"
)

// comingAndGoing is the share of people whose address may come and go, and no other's does.
const comingAndGoing = 0.1

// changing is what may change: the share of those who have it that usually do, and how many times as many are picked, of whom the others
// never change.
type changing struct{ usual, picked float64 }

var changings = map[string]changing{
	ChangeEmailAddress: {0.01, 1 / comingAndGoing},
	ChangeEmailConsent: {0.03, 1},
	ChangePhoneNumber:  {0.01, 1 / comingAndGoing},
	ChangePushOptIn:    {0.05, 1},
	ChangePushToken:    {0.03, 1},
	ChangeSMSConsent:   {0.025, 1},
}

// moving is the share of the entities of a timeline that are picked in one pass.
func moving(what string) float64 { return changings[what].usual * changings[what].picked }
