#ifndef STUB_APPTRACKINGTRANSPARENCY_H
#define STUB_APPTRACKINGTRANSPARENCY_H

#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

typedef NS_ENUM(NSUInteger, ATTrackingManagerAuthorizationStatus) {
	ATTrackingManagerAuthorizationStatusNotDetermined = 0,
	ATTrackingManagerAuthorizationStatusRestricted,
	ATTrackingManagerAuthorizationStatusDenied,
	ATTrackingManagerAuthorizationStatusAuthorized,
} API_AVAILABLE(ios(14));

API_AVAILABLE(ios(14))
@interface ATTrackingManager : NSObject
@property (class, readonly) ATTrackingManagerAuthorizationStatus trackingAuthorizationStatus;
+ (void)requestTrackingAuthorizationWithCompletionHandler:(void (^)(ATTrackingManagerAuthorizationStatus status))completion;
@end

NS_ASSUME_NONNULL_END

#endif
