#ifndef STUB_STOREKIT_H
#define STUB_STOREKIT_H

#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

@class UIWindowScene;

@interface SKStoreReviewController : NSObject
+ (void)requestReview;
+ (void)requestReviewInScene:(UIWindowScene *)windowScene API_AVAILABLE(ios(14));
@end

NS_ASSUME_NONNULL_END

#endif
