#import <SafariServices/SafariServices.h>
#import <UIKit/UIKit.h>

#import "RHCapabilities.h"

/// Opens deeplinks. Inside the app means: a web page in a Safari view over what is on the screen. Universal links of the app's own
/// are best taken by an interceptor, as the system opens them in Safari when the app itself asks.
@implementation RHLinkOpener

- (BOOL)openLink:(NSString *)url inApp:(BOOL)inApp completion:(RHActionsCompletion *)completion error:(NSError **)error {
	NSURL *parsed = [NSURL URLWithString:url ?: @""];
	if (parsed == nil) {
		[completion fail:@"the link is no URL"];
		return YES;
	}
	RHFor(completion, ^{
		[self open:parsed inApp:inApp completion:completion];
	});
	return YES;
}

- (void)open:(NSURL *)url inApp:(BOOL)inApp completion:(RHActionsCompletion *)completion {
	UIViewController *screen = inApp && [self isWebPage:url] ? [self screen] : nil;
	if (screen.isBeingDismissed) {
		// As in a group that dismisses its message and then opens a link: until the message is gone, UIKit presents nothing, and does
		// not tell.
		BOOL waits = [screen.transitionCoordinator animateAlongsideTransition:nil completion:^(id<UIViewControllerTransitionCoordinatorContext> context) {
			dispatch_async(dispatch_get_main_queue(), ^{
				[self open:url inApp:inApp completion:completion];
			});
		}];
		if (waits) {
			return;
		}
		screen = nil;
	}
	if (screen != nil) {
		[screen presentViewController:[[SFSafariViewController alloc] initWithURL:url] animated:YES completion:^{
			[completion succeed];
		}];
		return;
	}
	[UIApplication.sharedApplication openURL:url options:@{} completionHandler:^(BOOL opened) {
		if (opened) {
			[completion succeed];
		} else {
			[completion fail:@"no app on this device opens this link"];
		}
	}];
}

- (BOOL)isWebPage:(NSURL *)url {
	NSString *scheme = url.scheme.lowercaseString;
	return [scheme isEqualToString:@"http"] || [scheme isEqualToString:@"https"];
}

/// Gives what is on the screen, or nil.
- (UIViewController *)screen {
	for (UIScene *scene in UIApplication.sharedApplication.connectedScenes) {
		if (scene.activationState != UISceneActivationStateForegroundActive || ![scene isKindOfClass:UIWindowScene.class]) {
			continue;
		}
		for (UIWindow *window in ((UIWindowScene *)scene).windows) {
			if (window.isKeyWindow) {
				UIViewController *top = window.rootViewController;
				while (top.presentedViewController != nil) {
					top = top.presentedViewController;
				}
				return top;
			}
		}
	}
	return nil;
}

@end
