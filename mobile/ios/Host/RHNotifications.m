#import <UserNotifications/UserNotifications.h>

#import "RHCapabilities.h"

/// The permission for notifications. Provisional permission counts as not determined: the user has never seen the prompt.
@implementation RHNotifications

- (BOOL)notificationStatus:(RHActionsPermissionCompletion *)completion error:(NSError **)error {
	[UNUserNotificationCenter.currentNotificationCenter getNotificationSettingsWithCompletionHandler:^(UNNotificationSettings *settings) {
		[completion answer:[self permission:settings.authorizationStatus]];
	}];
	return YES;
}

- (BOOL)requestNotifications:(RHActionsPermissionCompletion *)completion error:(NSError **)error {
	if ([completion isEnded]) {
		return YES; // canceled meanwhile
	}
	UNAuthorizationOptions options = UNAuthorizationOptionAlert | UNAuthorizationOptionBadge | UNAuthorizationOptionSound;
	[UNUserNotificationCenter.currentNotificationCenter requestAuthorizationWithOptions:options completionHandler:^(BOOL granted, NSError *failure) {
		if (failure != nil) {
			[completion fail:RHTextOf(failure)];
		} else {
			[completion answer:granted ? RHActionsPermissionAuthorized : RHActionsPermissionDenied];
		}
	}];
	return YES;
}

- (NSString *)permission:(UNAuthorizationStatus)status {
	switch (status) {
		case UNAuthorizationStatusNotDetermined:
		case UNAuthorizationStatusProvisional:
			return RHActionsPermissionNotDetermined;
		case UNAuthorizationStatusDenied:
			return RHActionsPermissionDenied;
		default: // authorized, and ephemeral for app clips
			return RHActionsPermissionAuthorized;
	}
}

@end
