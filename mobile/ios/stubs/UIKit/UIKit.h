#ifndef STUB_UIKIT_H
#define STUB_UIKIT_H

#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

typedef double CGFloat;
typedef struct CGPoint {
	CGFloat x, y;
} CGPoint;
typedef struct CGSize {
	CGFloat width, height;
} CGSize;
typedef struct CGRect {
	CGPoint origin;
	CGSize size;
} CGRect;

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

@interface UIViewController : UIResponder <NSCoding>
@property (nullable, readonly) UIViewController *presentedViewController;
@property (null_resettable, strong) UIView *view;
- (instancetype)initWithNibName:(nullable NSString *)nibNameOrNil bundle:(nullable NSBundle *)nibBundleOrNil __attribute__((objc_designated_initializer));
- (nullable instancetype)initWithCoder:(NSCoder *)coder __attribute__((objc_designated_initializer));
- (void)viewDidLoad;
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

@class UIWindow;

@interface UIWindowScene : UIScene
@property (readonly) NSArray<UIWindow *> *windows;
@end

@interface UIView : UIResponder
@property CGRect bounds;
@property NSInteger tag;
- (instancetype)initWithFrame:(CGRect)frame;
- (void)addSubview:(UIView *)view;
@end

@interface UIWindow : UIView
@property (readonly, getter=isKeyWindow) BOOL keyWindow;
@property (nullable, strong) UIViewController *rootViewController;
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
@property (nullable, strong) UIWindow *window;
@end

@interface UIApplication : UIResponder
@property (class, readonly, strong) UIApplication *sharedApplication;
@property (readonly) NSSet<UIScene *> *connectedScenes;
@property (readonly) UIApplicationState applicationState;
- (void)openURL:(NSURL *)url options:(NSDictionary<NSString *, id> *)options completionHandler:(void (^_Nullable)(BOOL success))completion;
@end

FOUNDATION_EXPORT NSString *const UIApplicationOpenSettingsURLString;
FOUNDATION_EXPORT NSString *const UIApplicationOpenNotificationSettingsURLString API_AVAILABLE(ios(16));
FOUNDATION_EXPORT NSString *const UIApplicationDidBecomeActiveNotification;

NS_ASSUME_NONNULL_END

#endif
