#import <UIKit/UIKit.h>

#import "RHCapabilities.h"

/// Opens the system's settings at a page of this app. Before iOS 16 there is one page only.
@implementation RHSettings

- (BOOL)openSettings:(NSString *)page completion:(RHActionsCompletion *)completion error:(NSError **)error {
	NSString *address = UIApplicationOpenSettingsURLString;
	if (@available(iOS 16.0, *)) {
		if ([page isEqualToString:RHActionsPageNotifications]) {
			address = UIApplicationOpenNotificationSettingsURLString;
		}
	}
	NSURL *url = [NSURL URLWithString:address];
	RHFor(completion, ^{
		[UIApplication.sharedApplication openURL:url options:@{} completionHandler:^(BOOL opened) {
			if (opened) {
				[completion succeed];
			} else {
				[completion fail:@"the settings did not open"];
			}
		}];
	});
	return YES;
}

@end
