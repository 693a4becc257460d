#import <Foundation/Foundation.h>
#import <Rehearsal/Rehearsal.h>

NS_ASSUME_NONNULL_BEGIN

/// Keeps what is known of the current user. The methods are called on the thread that performs. One that returns NO with an error,
/// or throws in Swift, fails the action.
@protocol RHUserDataSink <NSObject>
- (BOOL)addTag:(NSString *)tag toCollection:(NSString *)collection error:(NSError **)error;
- (BOOL)removeTag:(NSString *)tag fromCollection:(NSString *)collection error:(NSError **)error;
- (BOOL)trackEvent:(RHActionsEvent *)event error:(NSError **)error;
@end

/// Gives a registry what an iPhone or an iPad can do: clipboard, deeplinks, the permission for notifications, settings, reviews, the
/// consent to tracking, and, where the app says how, dismissing, tags and events. Make one when the app has launched:
///
///     let host = RHHost()
///     let registry = RHActionsRegistry(host.options())!
///     host.install(in: registry)
///     // register actions here
///     registry.start()
///
/// Everything here may be called from any thread. Whatever UIKit wants on the main thread is done there; nobody waits for it.
/// It works from iOS 13 on; what a version lacks is answered as unsupported.
@interface RHHost : NSObject

/// Dismisses the message that an action came from (service.dismiss), on the main thread. Without one that is unsupported. Set it
/// before installing.
@property (copy, nullable) void (^dismiss)(void);

/// Keeps tags and events (service.user.tag, service.user.event). Without one that is unsupported. Set it before installing. It is
/// held by the registry that this host is installed in.
@property (strong, nullable) id<RHUserDataSink> userDataSink;

/// Makes options that name this platform and its version, to make a registry with.
- (RHActionsOptions *)options;

/// Sets every capability that this host has.
- (void)installInRegistry:(RHActionsRegistry *)registry;

/// Runs actions on the main thread, for `registerOn`: at once when they are performed there, otherwise soon.
@property (class, readonly, strong) id<RHActionsExecutor> mainExecutor;

/// Runs actions on a queue.
+ (id<RHActionsExecutor>)executorWithQueue:(NSOperationQueue *)queue;

@end

NS_ASSUME_NONNULL_END
