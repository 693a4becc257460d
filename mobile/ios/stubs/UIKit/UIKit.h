#ifndef STUB_UIKIT_H
#define STUB_UIKIT_H

#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN


@interface UIResponder : NSObject
@end

@interface UIDevice : NSObject
@property (class, readonly, strong) UIDevice *currentDevice;
@property (readonly, strong) NSString *systemVersion;
@end

@interface UIPasteboard : NSObject
@property (class, readonly, strong) UIPasteboard *generalPasteboard;
@property (nullable, copy) NSString *string;
@property (copy) NSArray<NSDictionary<NSString *, id> *> *items;
@end

@class UIView;

@protocol UIViewControllerTransitionCoordinatorContext <NSObject>
@end

@protocol UIViewControllerTransitionCoordinator <UIViewControllerTransitionCoordinatorContext>
- (BOOL)animateAlongsideTransition:(void (^_Nullable)(id<UIViewControllerTransitionCoordinatorContext> context))animation completion:(void (^_Nullable)(id<UIViewControllerTransitionCoordinatorContext> context))completion;
@end

@interface UIViewController : UIResponder <NSCoding>
@property (nullable, readonly) UIViewController *presentedViewController;
@property (readonly, getter=isBeingDismissed) BOOL beingDismissed;
@property (nullable, readonly) id<UIViewControllerTransitionCoordinator> transitionCoordinator;
@property (null_resettable, strong) UIView *view;
- (instancetype)initWithNibName:(nullable NSString *)nibNameOrNil bundle:(nullable NSBundle *)nibBundleOrNil __attribute__((objc_designated_initializer));
- (nullable instancetype)initWithCoder:(NSCoder *)coder __attribute__((objc_designated_initializer));
- (void)loadView;
- (void)presentViewController:(UIViewController *)viewControllerToPresent animated:(BOOL)flag completion:(void (^_Nullable)(void))completion;
@end

typedef NS_ENUM(NSInteger, UISceneActivationState) {
	UISceneActivationStateUnattached = -1,
	UISceneActivationStateForegroundActive,
	UISceneActivationStateForegroundInactive,
	UISceneActivationStateBackground,
};

@interface UIScene : UIResponder
@property (readonly) UISceneActivationState activationState;
@end

@interface UISceneSession : NSObject
@end

__attribute__((swift_name("UIScene.ConnectionOptions")))
@interface UISceneConnectionOptions : NSObject
@end

@protocol UISceneDelegate <NSObject>
@optional
- (void)scene:(UIScene *)scene willConnectToSession:(UISceneSession *)session options:(UISceneConnectionOptions *)connectionOptions;
@end

@class UIWindow;

@protocol UIWindowSceneDelegate <UISceneDelegate>
@optional
@property (nullable, strong) UIWindow *window;
@end

@interface UIWindowScene : UIScene
@property (readonly) NSArray<UIWindow *> *windows;
@end

@interface UIColor : NSObject
@property (class, readonly) UIColor *systemBackgroundColor;
@end

@interface UIView : UIResponder
@property NSInteger tag;
@property (nullable, copy) UIColor *backgroundColor;
@end

@interface UIWindow : UIView
@property (readonly, getter=isKeyWindow) BOOL keyWindow;
@property (nullable, strong) UIViewController *rootViewController;
- (instancetype)initWithWindowScene:(UIWindowScene *)windowScene;
- (void)makeKeyAndVisible;
@end

@interface NSLayoutConstraint : NSObject
@end

typedef NS_ENUM(NSInteger, UILayoutConstraintAxis) {
	UILayoutConstraintAxisHorizontal = 0,
	UILayoutConstraintAxisVertical = 1,
} __attribute__((swift_name("NSLayoutConstraint.Axis")));

@interface UIStackView : UIView
@property UILayoutConstraintAxis axis;
@property (getter=isLayoutMarginsRelativeArrangement) BOOL layoutMarginsRelativeArrangement;
- (void)addArrangedSubview:(UIView *)view;
@end

@interface UIControl : UIView
@end

typedef NS_ENUM(NSInteger, UIButtonType) {
	UIButtonTypeCustom = 0,
	UIButtonTypeSystem,
} __attribute__((swift_name("UIButton.ButtonType")));

@interface UIImage : NSObject
@end

@interface UIAction : NSObject
+ (instancetype)actionWithTitle:(NSString *)title image:(nullable UIImage *)image identifier:(nullable NSString *)identifier handler:(void (^)(UIAction *action))handler;
@end

@interface UIButton : UIControl
+ (instancetype)buttonWithType:(UIButtonType)buttonType primaryAction:(nullable UIAction *)primaryAction API_AVAILABLE(ios(14));
@end

@interface UITextView : UIView
@property (null_resettable, copy) NSString *text;
@end

typedef NS_ENUM(NSInteger, UIApplicationState) {
	UIApplicationStateActive,
	UIApplicationStateInactive,
	UIApplicationStateBackground,
};

@class UIApplication;

@protocol UIApplicationDelegate <NSObject>
@optional
- (void)applicationDidFinishLaunching:(UIApplication *)application;
@end

@interface UIApplication : UIResponder
@property (class, readonly, strong) UIApplication *sharedApplication NS_EXTENSION_UNAVAILABLE_IOS("an extension has no application");
@property (nullable) id<UIApplicationDelegate> delegate;
@property (readonly) NSSet<UIScene *> *connectedScenes;
@property (readonly) UIApplicationState applicationState;
- (void)openURL:(NSURL *)url options:(NSDictionary<NSString *, id> *)options completionHandler:(void (^_Nullable)(BOOL success))completion;
@end

FOUNDATION_EXPORT NSString *const UIApplicationOpenSettingsURLString;
FOUNDATION_EXPORT NSString *const UIApplicationOpenNotificationSettingsURLString API_AVAILABLE(ios(16));
FOUNDATION_EXPORT NSString *const UIApplicationDidBecomeActiveNotification;

NS_ASSUME_NONNULL_END

#endif
