#ifndef STUB_SAFARISERVICES_H
#define STUB_SAFARISERVICES_H

#import <UIKit/UIKit.h>

NS_ASSUME_NONNULL_BEGIN

@interface SFSafariViewController : UIViewController
- (instancetype)initWithURL:(NSURL *)URL;
@end

NS_ASSUME_NONNULL_END

#endif
