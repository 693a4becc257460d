// What Apple's NSString has and GNUstep's has not.
#import <Foundation/Foundation.h>

@implementation NSString (Missing)

- (BOOL)getBytes:(void *)buffer maxLength:(NSUInteger)most usedLength:(NSUInteger *)used encoding:(NSStringEncoding)encoding options:(NSUInteger)options range:(NSRange)range remainingRange:(NSRange *)left {
	NSData *data = [[self substringWithRange:range] dataUsingEncoding:encoding];
	*used = [data length] < most ? [data length] : most;
	[data getBytes:buffer length:*used];
	return YES;
}

@end
