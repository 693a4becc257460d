#import <UIKit/UIKit.h>

#import "RHCapabilities.h"

void RHOnMain(dispatch_block_t work) {
	if (NSThread.isMainThread) {
		work();
	} else {
		dispatch_async(dispatch_get_main_queue(), work);
	}
}

void RHFor(RHActionsCompletion *completion, dispatch_block_t work) {
	RHOnMain(^{
		if (![completion isEnded]) {
			work();
		}
	});
}

NSString *RHTextOf(NSError *error) {
	return error.localizedDescription ?: @"the system does not say why";
}

@implementation RHHost

- (RHActionsOptions *)options {
	RHActionsOptions *options = [[RHActionsOptions alloc] init];
	[options setPlatform:RHActionsPlatformIOS version:UIDevice.currentDevice.systemVersion];
	return options;
}

- (void)installInRegistry:(RHActionsRegistry *)registry {
	[registry setClipboard:[[RHClipboard alloc] init]];
	[registry setLinkOpener:[[RHLinkOpener alloc] init]];
	[registry setNotifications:[[RHNotifications alloc] init]];
	[registry setSettings:[[RHSettings alloc] init]];
	[registry setReviewer:[[RHReviewer alloc] init]];
	[registry setTracking:[[RHTracking alloc] init]];
	void (^dismiss)(void) = self.dismiss;
	if (dismiss != nil) {
		[registry setDismisser:[[RHDismisser alloc] initWithBlock:dismiss]];
	}
	id<RHUserDataSink> sink = self.userDataSink;
	if (sink != nil) {
		[registry setUserData:[[RHUserData alloc] initWithSink:sink]];
	}
}

+ (id<RHActionsExecutor>)mainExecutor {
	return [[RHExecutor alloc] initWithQueue:nil];
}

+ (id<RHActionsExecutor>)executorWithQueue:(NSOperationQueue *)queue {
	return [[RHExecutor alloc] initWithQueue:queue];
}

@end
