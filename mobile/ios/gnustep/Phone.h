#import <Foundation/Foundation.h>
#include "RHActions.objc.h"

// A host that notes what is done to it and answers at once, as a vector wants it.
@interface Phone : NSObject <RHActionsDismissHost, RHActionsLinkHost, RHActionsLinkInterceptor, RHActionsNotificationHost, RHActionsSettingsHost,
	RHActionsClipboardHost, RHActionsReviewHost, RHActionsTrackingHost, RHActionsUserDataHost>
{
	RHActionsArguments *spec;
	RHActionsArgumentList *effects;
}
- (id)initWithSpec:(RHActionsArguments *)given;
- (void)installIn:(RHActionsRegistry *)registry;
- (void)record:(RHActionsInvocation *)invocation;
- (RHActionsArgumentList *)effects;
@end

// Makes an error.
NSError *failure(NSString *text);
