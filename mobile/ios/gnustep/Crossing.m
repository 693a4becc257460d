// Takes each kind of value through the bindings, in both directions. It prints lines as for Checks of mobile/internal/proof.
#include <stdio.h>

#import <Foundation/Foundation.h>
#include "RHActions.objc.h"

void init_seq(void);

static void check(const char *name, BOOL holds) { printf(holds ? "ok %s\n" : "not ok %s: it does not\n", name); }

// An action, a clipboard, a prompt and a listener at once.
@interface App : NSObject <RHActionsAction, RHActionsClipboardHost, RHActionsTrackingHost, RHActionsLinkHost, RHActionsListener, RHActionsExecutor>
{
@public
	NSString *copied, *heard;
	RHActionsCompletion *later;
	int executed;
	BOOL inApp;
}
@end

@implementation App

- (BOOL)perform:(RHActionsInvocation *)invocation error:(NSError **)error {
	if ([[invocation arguments] has:@"refuse"]) {
		*error = [NSError errorWithDomain:@"test" code:1 userInfo:[NSDictionary dictionaryWithObject:@"refusé 🦊" forKey:NSLocalizedDescriptionKey]];
		return NO;
	}
	if ([[invocation arguments] has:@"later"]) {
		later = [[invocation later] retain];
		return YES;
	}
	RHActionsArguments *seen = [[RHActionsArguments alloc] init];
	[seen setArguments:@"arguments" value:[invocation arguments]];
	[seen setString:@"kind" value:[[invocation source] kind]];
	[seen setArguments:@"payload" value:[[invocation source] payload]]; // nil is null
	[invocation setValue:RHActionsArgumentsValue(seen)];
	return YES;
}

- (BOOL)writeText:(NSString *)text completion:(RHActionsCompletion *)completion error:(NSError **)error {
	copied = [text retain];
	return [completion succeed];
}

- (BOOL)trackingStatus:(RHActionsPermissionCompletion *)completion error:(NSError **)error {
	return [completion answer:RHActionsPermissionNotDetermined];
}

- (BOOL)requestTracking:(RHActionsPermissionCompletion *)completion error:(NSError **)error {
	return [completion blocked:@"no screen"];
}

- (BOOL)openLink:(NSString *)url inApp:(BOOL)within completion:(RHActionsCompletion *)completion error:(NSError **)error {
	inApp = within;
	return [completion succeed];
}

- (BOOL)onDone:(RHActionsResult *)result error:(NSError **)error {
	heard = [[result status] retain];
	return YES;
}

- (BOOL)execute:(RHActionsWork *)work error:(NSError **)error {
	executed++;
	[work run];
	return YES;
}

@end

static NSString *const everything =
	@"{\"arguments\":{\"bool\":true,\"double\":0.1,\"empty\":\"\",\"fox\":\"é🦊\\u0000\",\"large\":9223372036854775807,\"list\":[1,null,\"x\",{}],"
	@"\"null\":null,\"small\":-9223372036854775808},\"kind\":\"push\",\"payload\":{\"id\":7}}";

int main(void) {
	NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
	init_seq(); // with this runtime it came too early on its own
	App *app = [[App alloc] init];
	RHActionsOptions *options = [[RHActionsOptions alloc] init];
	[options setPlatform:RHActionsPlatformIOS version:@"17"];
	RHActionsRegistry *registry = [[RHActionsRegistry alloc] init:options];
	[registry setClipboard:app];
	[registry setTracking:app];
	[registry setLinkOpener:app];
	[registry start];
	NSError *error = nil;

	RHActionsRegistration *echo = [registry register:@"Echo" action:app error:&error];
	check("registers", echo != nil && [echo isActive] && [[echo identifier] isEqual:@"Echo"] && [[[registry list] at:0] isEqual:@"Echo"]);
	check("refuses a reserved identifier", [registry register:@"service.mine" action:app error:&error] == nil &&
		[RHActionsErrorCode([error localizedDescription]) isEqual:RHActionsCodeReservedIdentifier]);
	check("refuses an action that is nil", [registry register:@"nothing" action:nil error:&error] == nil);

	RHActionsArguments *arguments = [[RHActionsArguments alloc] init];
	RHActionsArgumentList *list = [[RHActionsArgumentList alloc] init];
	[list addInt64:1];
	[list addNull];
	[list addString:@"x"];
	[list addArguments:[[RHActionsArguments alloc] init]];
	[arguments setBool:@"bool" value:YES];
	[arguments setDouble:@"double" value:0.1];
	[arguments setString:@"empty" value:@""];
	[arguments setString:@"fox" value:[NSString stringWithFormat:@"é🦊%C", (unichar)0]];
	[arguments setInt64:@"large" value:INT64_MAX];
	[arguments setInt64:@"small" value:INT64_MIN];
	[arguments setList:@"list" value:list];
	[arguments setNull:@"null"];
	RHActionsArguments *payload = RHActionsArgumentsFromBytes([@"{\"id\": 7}" dataUsingEncoding:NSUTF8StringEncoding], &error);
	RHActionsTask *task = [registry trigger:@"echo" arguments:arguments source:[[RHActionsSource alloc] init:RHActionsSourcePush payload:payload]];
	check("takes every kind of value there and back", [[[[task result] value] json:&error] isEqual:everything]);
	RHActionsArguments *back = [[[[task result] value] asArguments] getArguments:@"arguments"];
	check("reads every kind of value", [back getBool:@"bool" fallback:NO] && [back getDouble:@"double" fallback:0] == 0.1 &&
		[back getInt64:@"small" fallback:0] == INT64_MIN && [[back getString:@"fox" fallback:@""] length] == 4 &&
		[[back getList:@"list"] count] == 4 && [back getList:@"none"] == nil && [back typeOf:@"null"] == RHActionsTypeNull);
	int64_t number = 0;
	check("throws for an argument of another type", ![back getInt64OrThrow:@"fox" value:&number error:&error] && [[error localizedDescription] length] > 0);
	check("performs without arguments", [[[[registry perform:@"echo" arguments:nil] result] status] isEqual:RHActionsStatusPerformed]);

	RHActionsResult *failed = [[registry perform:@"echo" arguments:RHActionsArgumentsFromJSON(@"{\"refuse\": true}", NULL)] result];
	check("says the error of an action", [[failed status] isEqual:RHActionsStatusFailed] && ![failed check:&error] &&
		[[failed message] rangeOfString:@"refusé 🦊"].location != NSNotFound && [[error localizedDescription] rangeOfString:@"🦊"].location != NSNotFound);
	[registry perform:@"service.clipboard" arguments:RHActionsArgumentsFromJSON(@"{\"t\": \"copied ✓\"}", NULL)];
	[registry perform:@"service.deeplink" arguments:RHActionsArgumentsFromJSON(@"{\"l\": \"https://example.com\", \"li\": true}", NULL)];
	check("calls a host", [app->copied isEqual:@"copied ✓"] && app->inApp);
	check("takes the refusal of a host", [[[[registry perform:@"service.tracking_consent" arguments:nil] result] status] isEqual:RHActionsStatusBlocked]);
	check("lists problems", [[[[registry validate:@"service.clipboard" arguments:nil] at:0] pointer] length] > 0);

	task = [registry perform:@"echo" arguments:RHActionsArgumentsFromJSON(@"{\"later\": 1}", NULL)];
	check("waits for a completion", [task result] == nil && [task await:1] == nil);
	check("ends a completion once", [app->later succeedWith:RHActionsDoubleValue(2.5)] && ![app->later fail:@"again"]);
	check("gives the value of a completion", [[[task await:60000] value] asDouble:0] == 2.5);
	[[registry performAsync:@"echo" arguments:nil listener:app] await:60000];
	// What comes behind it on the worker is done after the listener.
	[[registry performAsync:@"echo" arguments:nil listener:nil] await:60000];
	check("calls a listener from a thread of Go", [app->heard isEqual:RHActionsStatusPerformed]);
	[registry registerOn:@"elsewhere" action:app executor:app error:&error];
	check("runs on an executor", [[registry perform:@"elsewhere" arguments:nil] await:60000] != nil && app->executed == 1);
	BOOL removed = NO;
	check("unregisters", [echo unregister] && ![echo unregister] && [registry unregister:@"echo" removed:&removed error:&error] && !removed);
	puts("done");
	[pool release];
	return 0;
}
