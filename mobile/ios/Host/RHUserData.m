#import "RHCapabilities.h"

/// Hands tags and events to what the app gave.
@implementation RHUserData {
	id<RHUserDataSink> _sink;
}

- (instancetype)initWithSink:(id<RHUserDataSink>)sink {
	if (self = [super init]) {
		_sink = sink;
	}
	return self;
}

- (BOOL)addTag:(NSString *)collection tag:(NSString *)tag completion:(RHActionsCompletion *)completion error:(NSError **)error {
	return [self end:completion with:^BOOL(NSError **failure) {
		return [self->_sink addTag:tag toCollection:collection error:failure];
	}];
}

- (BOOL)removeTag:(NSString *)collection tag:(NSString *)tag completion:(RHActionsCompletion *)completion error:(NSError **)error {
	return [self end:completion with:^BOOL(NSError **failure) {
		return [self->_sink removeTag:tag fromCollection:collection error:failure];
	}];
}

- (BOOL)trackEvent:(RHActionsEvent *)event completion:(RHActionsCompletion *)completion error:(NSError **)error {
	return [self end:completion with:^BOOL(NSError **failure) {
		return [self->_sink trackEvent:event error:failure];
	}];
}

/// An exception of Objective-C that went through Go would end the app.
- (BOOL)end:(RHActionsCompletion *)completion with:(BOOL (^)(NSError **))work {
	NSError *failure = nil;
	@try {
		if (work(&failure)) {
			[completion succeed];
		} else {
			[completion fail:RHTextOf(failure)];
		}
	} @catch (NSException *exception) {
		[completion fail:exception.reason ?: exception.name];
	}
	return YES;
}

@end
