// Does the steps of vectors with the bindings. The Go package mobile/internal/proof describes what it reads and writes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#import "Phone.h"

void init_seq(void);

static Phone *phone;
static RHActionsRegistry *registry;
static NSMutableDictionary *registrations;
static NSMutableArray *tasks, *turns;

// An action that a vector names.
@interface Named : NSObject <RHActionsAction>
{
@public
	NSString *name;
}
@end

@implementation Named

- (BOOL)perform:(RHActionsInvocation *)invocation error:(NSError **)error {
	if ([name isEqual:@"record"]) {
		[phone record:invocation];
	} else if ([name isEqual:@"fail"] || [name isEqual:@"panic"]) {
		*error = failure(@"failed on purpose"); // an exception through Go would end the program: here there is nothing to panic with
		return NO;
	} else if ([name hasPrefix:@"wait"]) {
		[turns addObject:[NSArray arrayWithObjects:[invocation later], [name isEqual:@"wait-record"] ? (id)invocation : (id)[NSNull null], nil]];
	} else {
		NSString *other = [name substringFromIndex:[@"perform:" length]];
		[invocation endAs:[invocation perform:other arguments:[invocation arguments]]];
	}
	return YES;
}

@end

static Named *action(NSString *name) {
	if ([name length] == 0) {
		return nil;
	}
	Named *named = [[Named alloc] init];
	named->name = [name retain];
	return named;
}

// Waits until the worker has done what it had to do: it does one thing at a time, in order.
static void flush(void) {
	if ([[registry performAsync:@"nothing.is.registered.as.this" arguments:nil listener:nil] await:60000] == nil) {
		fprintf(stderr, "the worker does not come to an end\n");
		exit(1);
	}
}

static void create(RHActionsArguments *host) {
	RHActionsOptions *options = [[RHActionsOptions alloc] init];
	[options setPlatform:[host getString:@"platform" fallback:@""] version:[host getString:@"version" fallback:@""]];
	registry = [[RHActionsRegistry alloc] init:options];
	phone = [[Phone alloc] initWithSpec:host];
	[phone installIn:registry];
	registrations = [[NSMutableDictionary alloc] init];
	tasks = [[NSMutableArray alloc] init];
	turns = [[NSMutableArray alloc] init];
}

// Arguments cross as JSON; nil stays nil.
static RHActionsArguments *arguments(RHActionsArguments *step, NSString *key) {
	NSString *json = [step getString:key fallback:@""];
	return [json length] == 0 ? nil : RHActionsArgumentsFromJSON(json, NULL);
}

static void look(int64_t number, RHActionsArguments *answer) {
	RHActionsResult *result = [[tasks objectAtIndex:number] result];
	if (result != nil) {
		[answer setValue:@"answer" value:RHActionsValueFromJSON([result json:NULL], NULL)];
	}
}

static void begun(RHActionsTask *task, RHActionsArguments *answer) {
	[tasks addObject:task];
	[answer setInt64:@"task" value:[tasks count] - 1];
	look([tasks count] - 1, answer);
}

static void refused(RHActionsArguments *reply, NSError *error) {
	[reply setString:@"error" value:RHActionsErrorCode([error localizedDescription])];
}

static void perform(RHActionsArguments *step, RHActionsArguments *answer) {
	NSString *verb = [step getString:@"do" fallback:@""], *subject = [step getString:@"subject" fallback:@""];
	RHActionsArguments *reply = [[RHActionsArguments alloc] init];
	NSError *error = nil;
	[answer setNull:@"answer"];
	if ([verb isEqual:@"register"]) {
		RHActionsRegistration *registration = [registry register:subject action:action([step getString:@"handler" fallback:@""]) error:&error];
		[reply setBool:@"ok" value:registration != nil];
		if (registration != nil) {
			[registrations setObject:registration forKey:[step getString:@"as" fallback:@""]];
		} else {
			refused(reply, error);
		}
	} else if ([verb isEqual:@"unregister"]) {
		BOOL removed = NO;
		if (![registry unregister:subject removed:&removed error:&error]) {
			refused(reply, error);
		}
		[reply setBool:@"removed" value:removed];
	} else if ([verb isEqual:@"dispose"]) {
		[reply setBool:@"removed" value:[[registrations objectForKey:subject] unregister]];
	} else if ([verb isEqual:@"perform"]) {
		begun([registry perform:subject arguments:arguments(step, @"arguments")], answer);
		return;
	} else if ([verb isEqual:@"trigger"]) {
		RHActionsSource *source = [[RHActionsSource alloc] init:[step getString:@"kind" fallback:@""] payload:arguments(step, @"payload")];
		begun([registry trigger:subject arguments:arguments(step, @"arguments") source:source], answer);
		return;
	} else if ([verb isEqual:@"start"]) {
		[registry start];
		[reply setBool:@"ok" value:YES];
	} else if ([verb isEqual:@"validate"]) {
		RHActionsProblemList *problems = [registry validate:subject arguments:arguments(step, @"arguments")];
		RHActionsArgumentList *at = [[RHActionsArgumentList alloc] init];
		for (int32_t i = 0; i < [problems count]; i++) {
			[at addString:[[problems at:i] pointer]];
		}
		[reply setBool:@"ok" value:[problems count] == 0];
		[reply setList:@"at" value:at];
	} else if ([verb isEqual:@"capability"]) {
		[reply setString:@"state" value:[registry capability:subject]];
	} else {
		RHActionsStringList *list = [registry list];
		RHActionsArgumentList *identifiers = [[RHActionsArgumentList alloc] init];
		for (int32_t i = 0; i < [list count]; i++) {
			[identifiers addString:[list at:i]];
		}
		[reply setList:@"identifiers" value:identifiers];
	}
	[answer setArguments:@"answer" value:reply];
}

static void turn(RHActionsArguments *answer) {
	[answer setBool:@"turned" value:[turns count] > 0];
	if ([turns count] > 0) {
		NSArray *next = [[turns objectAtIndex:0] retain];
		[turns removeObjectAtIndex:0];
		if ([next objectAtIndex:1] != (id)[NSNull null]) {
			[phone record:[next objectAtIndex:1]];
		}
		[(RHActionsCompletion *)[next objectAtIndex:0] succeed];
		flush();
	}
}

int main(void) {
	NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
	init_seq(); // with this runtime it came too early on its own
	char *line = NULL;
	size_t capacity = 0;
	for (ssize_t length; (length = getline(&line, &capacity, stdin)) > 0;) {
		RHActionsArguments *request = RHActionsArgumentsFromBytes([NSData dataWithBytes:line length:length], NULL);
		RHActionsArguments *answer = [[RHActionsArguments alloc] init];
		NSString *op = [request getString:@"op" fallback:@""];
		if ([op isEqual:@"new"]) {
			create([request getArguments:@"host"]);
		} else if ([op isEqual:@"do"]) {
			perform([request getArguments:@"step"], answer);
		} else if ([op isEqual:@"look"]) {
			look([request getInt64:@"task" fallback:-1], answer);
		} else if ([op isEqual:@"turn"]) {
			turn(answer);
		} else {
			[answer setList:@"effects" value:[phone effects]];
		}
		NSData *text = [[answer json:NULL] dataUsingEncoding:NSUTF8StringEncoding];
		fwrite([text bytes], 1, [text length], stdout);
		putchar('\n');
		fflush(stdout);
	}
	[pool release];
	return 0;
}
