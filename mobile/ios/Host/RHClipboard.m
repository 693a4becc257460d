#import <UIKit/UIKit.h>

#import "RHCapabilities.h"

@implementation RHClipboard

- (BOOL)writeText:(NSString *)text completion:(RHActionsCompletion *)completion error:(NSError **)error {
	RHFor(completion, ^{
		if (text.length == 0) {
			UIPasteboard.generalPasteboard.items = @[];
		} else {
			UIPasteboard.generalPasteboard.string = text;
		}
		[completion succeed];
	});
	return YES;
}

@end
