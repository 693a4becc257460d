#import <Foundation/Foundation.h>

#import "RHCapabilities.h"

@implementation RHExecutor {
	NSOperationQueue *_queue;
}

- (instancetype)initWithQueue:(NSOperationQueue *)queue {
	if ((self = [super init])) {
		_queue = queue;
	}
	return self;
}

- (BOOL)execute:(RHActionsWork *)work error:(NSError **)error {
	if (_queue == nil) {
		RHOnMain(^{
			[work run];
		});
	} else {
		[_queue addOperationWithBlock:^{
			[work run];
		}];
	}
	return YES;
}

@end
