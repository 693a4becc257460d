#import <StoreKit/StoreKit.h>
#import <UIKit/UIKit.h>

#import "RHCapabilities.h"

/// Asks the system to ask for a review. Whether it does is its own affair, and it never tells.
@implementation RHReviewer

- (BOOL)requestReview:(RHActionsCompletion *)completion error:(NSError **)error {
	RHFor(completion, ^{
		if (@available(iOS 14.0, *)) {
			for (UIScene *scene in UIApplication.sharedApplication.connectedScenes) {
				if (scene.activationState == UISceneActivationStateForegroundActive && [scene isKindOfClass:UIWindowScene.class]) {
					[SKStoreReviewController requestReviewInScene:(UIWindowScene *)scene];
					[completion succeed];
					return;
				}
			}
			[completion blocked:@"the app is not on the screen"];
		} else {
			[SKStoreReviewController requestReview];
			[completion succeed];
		}
	});
	return YES;
}

@end
