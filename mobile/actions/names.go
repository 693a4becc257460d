package actions

import (
	"strings"

	core "github.com/rehearsal-sdk/rehearsal/actions"
)

// Version is the version of this library.
const Version string = "0.1.0"

// APILevel grows by one whenever something is added to this package. Nothing is renamed, removed or given another meaning.
const APILevel int32 = 6

// The platforms, for [Options.SetPlatform].
const (
	PlatformIOS     = string(core.PlatformIOS)
	PlatformAndroid = string(core.PlatformAndroid)
)

// The statuses of a [Result].
const (
	// StatusPerformed: the action did what it is there for.
	StatusPerformed = string(core.StatusPerformed)
	// StatusNotFound: nothing is registered under the identifier, and it is no built-in.
	StatusNotFound = string(core.StatusNotFound)
	// StatusInvalidArguments: the arguments were refused; nothing was done.
	StatusInvalidArguments = string(core.StatusInvalidArguments)
	// StatusUnsupported: this host, or this version of its platform, cannot do it.
	StatusUnsupported = string(core.StatusUnsupported)
	// StatusBlocked: the platform refused, for example for want of a permission.
	StatusBlocked = string(core.StatusBlocked)
	// StatusFailed: the action or the host threw, failed or took too long, or a bound was reached.
	StatusFailed = string(core.StatusFailed)
	// StatusCanceled: it was canceled before it had finished.
	StatusCanceled = string(core.StatusCanceled)
	// StatusPartial: a group ran, and not every item of it was performed.
	StatusPartial = string(core.StatusPartial)
)

// The codes of errors, beside the statuses.
const (
	// CodeInvalidIdentifier: the identifier is blank.
	CodeInvalidIdentifier = string(core.CodeInvalidIdentifier)
	// CodeReservedIdentifier: the identifier begins with "service.", in whatever letter case.
	CodeReservedIdentifier = string(core.CodeReservedIdentifier)
	// CodeInvalidHandler: there is no action to register.
	CodeInvalidHandler = string(core.CodeInvalidHandler)
	// CodeInvalidJSON: a text is not the JSON that is read here.
	CodeInvalidJSON string = "invalid_json"
	// CodeInvalidLinkRule: an entry of the list of allowed links cannot be read.
	CodeInvalidLinkRule string = "invalid_link_rule"
	// CodeInternal: a fault in this library.
	CodeInternal string = "internal"
)

// The states of a permission, for [PermissionCompletion.Answer].
const (
	// PermissionNotDetermined: the user was not asked yet.
	PermissionNotDetermined = string(core.PermissionNotDetermined)
	// PermissionDenied: the user refused.
	PermissionDenied = string(core.PermissionDenied)
	// PermissionAuthorized: the user agreed.
	PermissionAuthorized = string(core.PermissionAuthorized)
	// PermissionRestricted: somebody else decides, such as a device manager.
	PermissionRestricted = string(core.PermissionRestricted)
)

// The pages of the system's settings that a [SettingsHost] opens.
const (
	// PageNotifications is the page of the app's notification settings.
	PageNotifications = string(core.SettingsNotifications)
	// PageApp is the page of the app's settings.
	PageApp = string(core.SettingsApp)
)

// What [Registry.Capability] answers.
const (
	// StateAvailable: the action can do something here and now.
	StateAvailable = string(core.StateAvailable)
	// StateNeedsGesture: it can from inside a gesture of the user's. No host on a phone says so today.
	StateNeedsGesture = string(core.StateNeedsGesture)
	// StateUnsupported: nothing is registered under the identifier, or a capability is missing.
	StateUnsupported = string(core.StateUnsupported)
)

// The kinds of [Source] that exist today. Any other text is a kind as well.
const (
	// SourceManual: the app's own code asked.
	SourceManual string = core.SourceManual
	// SourcePush: a push message did; its payload is that of the source.
	SourcePush string = core.SourcePush
)

// CallerGoesOn is what [Caller.Perform] gives while an action goes on.
const CallerGoesOn string = `{"status":"running"}`

// The types of a [Value].
const (
	// TypeAbsent: there is no value.
	TypeAbsent int32 = 0
	// TypeNull: the value is null.
	TypeNull int32 = 1
	// TypeBool: it is true or false.
	TypeBool int32 = 2
	// TypeInt64: it is a whole number.
	TypeInt64 int32 = 3
	// TypeUint64: it is a whole number above the largest of 64 bits with a sign. Its double is rounded, its JSON is exact.
	TypeUint64 int32 = 4
	// TypeDouble: it is another number.
	TypeDouble int32 = 5
	// TypeString: it is text.
	TypeString int32 = 6
	// TypeList: it is an [ArgumentList].
	TypeList int32 = 7
	// TypeArguments: it is nested [Arguments].
	TypeArguments int32 = 8
)

// ErrorCode reads the code off the text of an error that this library threw: the message of the exception in Java and Kotlin, the
// localized description of the NSError in Objective-C and Swift. It is one of the codes and statuses above, or "" for any other text.
func ErrorCode(text string) string {
	defer contain()
	code, _, found := strings.Cut(text, ": ")
	if !found {
		return ""
	}
	switch code {
	case StatusNotFound, StatusInvalidArguments, StatusUnsupported, StatusBlocked, StatusFailed, StatusCanceled, StatusPartial,
		CodeInvalidIdentifier, CodeReservedIdentifier, CodeInvalidHandler, CodeInvalidJSON, CodeInvalidLinkRule, CodeInternal:
		return code
	}
	return ""
}
