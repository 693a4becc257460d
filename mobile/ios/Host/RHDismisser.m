#import "RHCapabilities.h"

/// Dismisses messages by what the app gave.
@implementation RHDismisser {
	void (^_block)(void);
}

- (instancetype)initWithBlock:(void (^)(void))block {
	if (self = [super init]) {
		_block = [block copy];
	}
	return self;
}

- (BOOL)dismiss:(RHActionsCompletion *)completion error:(NSError **)error {
	void (^block)(void) = _block;
	RHFor(completion, ^{
		block();
		[completion succeed];
	});
	return YES;
}

@end
