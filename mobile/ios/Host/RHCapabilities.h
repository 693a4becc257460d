// What the host is made of: a class for each capability.

#import "RHHost.h"

NS_ASSUME_NONNULL_BEGIN

/// Does something on the main thread: now when this is it, otherwise soon.
void RHOnMain(dispatch_block_t work);

/// Does on the main thread what a completion waits for, unless its time is up by then: it would come out of the blue.
void RHFor(RHActionsCompletion *completion, dispatch_block_t work);

/// Gives the text of an error, which may be missing.
NSString *RHTextOf(NSError *_Nullable error);

@interface RHClipboard : NSObject <RHActionsClipboardHost>
@end

@interface RHLinkOpener : NSObject <RHActionsLinkHost>
@end

@interface RHNotifications : NSObject <RHActionsNotificationHost>
@end

@interface RHSettings : NSObject <RHActionsSettingsHost>
@end

@interface RHReviewer : NSObject <RHActionsReviewHost>
@end

@interface RHTracking : NSObject <RHActionsTrackingHost>
@end

@interface RHDismisser : NSObject <RHActionsDismissHost>
- (instancetype)initWithBlock:(void (^)(void))block;
@end

@interface RHUserData : NSObject <RHActionsUserDataHost>
- (instancetype)initWithSink:(id<RHUserDataSink>)sink;
@end

@interface RHExecutor : NSObject <RHActionsExecutor>
/// Without a queue it is the main thread.
- (instancetype)initWithQueue:(nullable NSOperationQueue *)queue;
@end

NS_ASSUME_NONNULL_END
