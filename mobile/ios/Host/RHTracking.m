#import <AppTrackingTransparency/AppTrackingTransparency.h>
#import <UIKit/UIKit.h>

#import "RHCapabilities.h"

/// The consent to tracking. The prompt needs the key NSUserTrackingUsageDescription in the app's Info.plist: without it the system
/// would end the app, so that is looked for first. The system shows no prompt while the app is not active, so the host waits until it
/// is.
@implementation RHTracking

- (BOOL)trackingStatus:(RHActionsPermissionCompletion *)completion error:(NSError **)error {
	if (@available(iOS 14.0, *)) {
		[completion answer:[self permission:ATTrackingManager.trackingAuthorizationStatus]];
	} else {
		[completion unsupported:@"there is no consent to tracking before iOS 14"];
	}
	return YES;
}

- (BOOL)requestTracking:(RHActionsPermissionCompletion *)completion error:(NSError **)error {
	if (@available(iOS 14.0, *)) {
		if ([NSBundle.mainBundle objectForInfoDictionaryKey:@"NSUserTrackingUsageDescription"] == nil) {
			[completion unsupported:@"the key NSUserTrackingUsageDescription is missing in the app's Info.plist"];
			return YES;
		}
		RHOnMain(^{
			[self whenActive:^{
				if ([completion isEnded]) {
					return; // nobody waits any more, and the prompt would come out of the blue
				}
				[ATTrackingManager requestTrackingAuthorizationWithCompletionHandler:^(ATTrackingManagerAuthorizationStatus status) {
					[completion answer:[self permission:status]];
				}];
			}];
		});
	} else {
		[completion unsupported:@"there is no consent to tracking before iOS 14"];
	}
	return YES;
}

/// Does something as soon as the app is active. Only called on the main thread.
- (void)whenActive:(dispatch_block_t)work {
	if (UIApplication.sharedApplication.applicationState == UIApplicationStateActive) {
		work();
		return;
	}
	__block id observer = [NSNotificationCenter.defaultCenter addObserverForName:UIApplicationDidBecomeActiveNotification
		object:nil
		queue:NSOperationQueue.mainQueue
		usingBlock:^(NSNotification *notification) {
			if (observer != nil) {
				[NSNotificationCenter.defaultCenter removeObserver:observer];
				observer = nil;
				work();
			}
		}];
}

- (NSString *)permission:(ATTrackingManagerAuthorizationStatus)status API_AVAILABLE(ios(14)) {
	switch (status) {
		case ATTrackingManagerAuthorizationStatusNotDetermined:
			return RHActionsPermissionNotDetermined;
		case ATTrackingManagerAuthorizationStatusRestricted:
			return RHActionsPermissionRestricted;
		case ATTrackingManagerAuthorizationStatusDenied:
			return RHActionsPermissionDenied;
		case ATTrackingManagerAuthorizationStatusAuthorized:
			return RHActionsPermissionAuthorized;
	}
	return @"";
}

@end
