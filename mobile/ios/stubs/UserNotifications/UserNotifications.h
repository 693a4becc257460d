#ifndef STUB_USERNOTIFICATIONS_H
#define STUB_USERNOTIFICATIONS_H

#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

typedef NS_OPTIONS(NSUInteger, UNAuthorizationOptions) {
	UNAuthorizationOptionBadge = (1 << 0),
	UNAuthorizationOptionSound = (1 << 1),
	UNAuthorizationOptionAlert = (1 << 2),
};

typedef NS_ENUM(NSInteger, UNAuthorizationStatus) {
	UNAuthorizationStatusNotDetermined = 0,
	UNAuthorizationStatusDenied,
	UNAuthorizationStatusAuthorized,
	UNAuthorizationStatusProvisional,
	UNAuthorizationStatusEphemeral API_AVAILABLE(ios(14)),
};

@interface UNNotificationSettings : NSObject
@property (readonly) UNAuthorizationStatus authorizationStatus;
@end

@interface UNUserNotificationCenter : NSObject
+ (UNUserNotificationCenter *)currentNotificationCenter;
- (void)requestAuthorizationWithOptions:(UNAuthorizationOptions)options completionHandler:(void (^)(BOOL granted, NSError *_Nullable error))completionHandler;
- (void)getNotificationSettingsWithCompletionHandler:(void (^)(UNNotificationSettings *settings))completionHandler;
@end

NS_ASSUME_NONNULL_END

#endif
