#ifndef STUB_FOUNDATION_H
#define STUB_FOUNDATION_H

#include <objc/objc.h>
#include <stddef.h>
#include <stdint.h>

#define NS_ASSUME_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
#define NS_ASSUME_NONNULL_END _Pragma("clang assume_nonnull end")
#define NS_ENUM(type, name) enum __attribute__((enum_extensibility(open))) name : type name; enum __attribute__((enum_extensibility(open))) name : type
#define NS_OPTIONS(type, name) enum __attribute__((flag_enum, enum_extensibility(open))) name : type name; enum __attribute__((flag_enum, enum_extensibility(open))) name : type
#define API_AVAILABLE_ios(v) __attribute__((availability(ios, introduced = v)))
#define API_AVAILABLE(platform) API_AVAILABLE_##platform
#define FOUNDATION_EXPORT extern
#define NS_EXTENSION_UNAVAILABLE_IOS(why) __attribute__((availability(ios_app_extension, unavailable, message = why)))

typedef unsigned long NSUInteger;
typedef long NSInteger;
typedef NSUInteger NSStringEncoding;
typedef NSUInteger NSStringEncodingConversionOptions;
typedef struct _NSRange {
	NSUInteger location;
	NSUInteger length;
} NSRange;
typedef NSRange *NSRangePointer;
static inline NSRange NSMakeRange(NSUInteger location, NSUInteger length) { return (NSRange){location, length}; }

typedef void (^dispatch_block_t)(void);
@class NSObject;
typedef NSObject *dispatch_queue_t;
dispatch_queue_t _Nonnull dispatch_get_main_queue(void);
void dispatch_async(dispatch_queue_t _Nonnull queue, dispatch_block_t _Nonnull block);

@protocol NSObject
- (BOOL)isKindOfClass:(Class)aClass;
- (BOOL)conformsToProtocol:(Protocol *)aProtocol;
- (instancetype)retain;
@end

__attribute__((objc_root_class))
@interface NSObject <NSObject>
+ (instancetype)alloc;
+ (Class)class;
#ifdef __swift__ // Apple's notes for Swift say so; gobind's own declarations would contradict it
- (nonnull instancetype)init;
#else
- (instancetype)init;
#endif
- (id)copy;
- (void)dealloc;
@end

NS_ASSUME_NONNULL_BEGIN

@protocol NSCopying
@end

typedef double NSTimeInterval;

__attribute__((swift_bridge("Foundation.Date")))
@interface NSDate : NSObject
@end

__attribute__((swift_bridge("Swift.String")))
@interface NSString : NSObject <NSCopying>
@property (readonly) NSUInteger length;
@property (readonly, copy) NSString *lowercaseString;
- (instancetype)initWithString:(NSString *)aString;
+ (instancetype)stringWithFormat:(NSString *)format, ... __attribute__((format(__NSString__, 1, 2)));
- (nullable instancetype)initWithBytesNoCopy:(void *)bytes length:(NSUInteger)len encoding:(NSStringEncoding)encoding freeWhenDone:(BOOL)freeBuffer;
- (BOOL)isEqualToString:(NSString *)aString;
- (NSUInteger)lengthOfBytesUsingEncoding:(NSStringEncoding)enc;
- (BOOL)getBytes:(nullable void *)buffer maxLength:(NSUInteger)maxBufferCount usedLength:(nullable NSUInteger *)usedBufferCount encoding:(NSStringEncoding)encoding options:(NSStringEncodingConversionOptions)options range:(NSRange)range remainingRange:(nullable NSRangePointer)leftover;
@end
enum : NSStringEncoding { NSUTF8StringEncoding = 4 };

@interface NSValue : NSObject <NSCopying>
+ (NSValue *)valueWithPointer:(nullable const void *)pointer;
@end

@interface NSNumber : NSValue
@property (readonly) int intValue;
+ (NSNumber *)numberWithInt:(int)value;
@end

__attribute__((swift_bridge("Foundation.Data")))
@interface NSData : NSObject
@property (readonly) NSUInteger length;
@property (readonly) const void *bytes;
+ (instancetype)dataWithBytesNoCopy:(void *)bytes length:(NSUInteger)length freeWhenDone:(BOOL)b;
@end

@interface NSMutableData : NSData
@end

typedef struct {
	unsigned long state;
	id __unsafe_unretained _Nullable *_Nullable itemsPtr;
	unsigned long *_Nullable mutationsPtr;
	unsigned long extra[5];
} NSFastEnumerationState;

@protocol NSFastEnumeration
- (NSUInteger)countByEnumeratingWithState:(NSFastEnumerationState *)state objects:(id __unsafe_unretained _Nullable[_Nonnull])buffer count:(NSUInteger)len;
@end

@interface NSArray<__covariant T> : NSObject <NSFastEnumeration>
+ (instancetype)arrayWithObjects:(const T _Nonnull[_Nullable])objects count:(NSUInteger)cnt;
@end

@interface NSSet<__covariant T> : NSObject <NSFastEnumeration>
@end

@interface NSDictionary<__covariant K, __covariant V> : NSObject
+ (instancetype)dictionaryWithObjects:(const V _Nonnull[_Nullable])objects forKeys:(const K<NSCopying> _Nonnull[_Nullable])keys count:(NSUInteger)cnt;
- (nullable V)objectForKey:(K)aKey;
- (nullable V)objectForKeyedSubscript:(K)key;
@end

@interface NSMutableDictionary<K, V> : NSDictionary <K, V>
- (void)removeObjectForKey:(K)aKey;
- (void)setObject:(V)anObject forKey:(K<NSCopying>)aKey;
- (void)setObject:(nullable V)obj forKeyedSubscript:(K<NSCopying>)key;
@end

__attribute__((swift_bridge("Swift.Error")))
@interface NSError : NSObject
@property (readonly) NSInteger code;
@property (readonly, copy) NSString *localizedDescription;
- (instancetype)initWithDomain:(NSString *)domain code:(NSInteger)code userInfo:(nullable NSDictionary<NSString *, id> *)dict;
@end
FOUNDATION_EXPORT NSString *const NSLocalizedDescriptionKey;

@interface NSException : NSObject
@property (readonly, copy) NSString *name;
@property (nullable, readonly, copy) NSString *reason;
+ (NSException *)exceptionWithName:(NSString *)name reason:(nullable NSString *)reason userInfo:(nullable NSDictionary *)userInfo;
@end
FOUNDATION_EXPORT NSString *const NSInternalInconsistencyException;

__attribute__((swift_bridge("Foundation.URL")))
@interface NSURL : NSObject
@property (nullable, readonly, copy) NSString *scheme;
+ (nullable instancetype)URLWithString:(NSString *)URLString;
@end

__attribute__((swift_name("Thread")))
@interface NSThread : NSObject
@property (class, readonly) BOOL isMainThread;
+ (void)detachNewThreadWithBlock:(void (^)(void))block __attribute__((swift_name("detachNewThread(_:)")));
+ (void)sleepForTimeInterval:(NSTimeInterval)ti;
@end

@interface NSLock : NSObject
- (void)lock;
- (void)unlock;
@end

@interface NSCondition : NSObject
- (void)lock;
- (void)unlock;
- (void)wait;
- (BOOL)waitUntilDate:(NSDate *)limit;
- (void)broadcast;
@end

__attribute__((swift_name("UserDefaults")))
@interface NSUserDefaults : NSObject
@property (class, readonly, strong) NSUserDefaults *standardUserDefaults;
- (nullable NSString *)stringForKey:(NSString *)defaultName;
- (void)setObject:(nullable id)value forKey:(NSString *)defaultName __attribute__((swift_name("set(_:forKey:)")));
@end

__attribute__((swift_name("Bundle")))
@interface NSBundle : NSObject
@property (class, readonly, strong) NSBundle *mainBundle;
- (nullable id)objectForInfoDictionaryKey:(NSString *)key;
@end

__attribute__((swift_name("OperationQueue")))
@interface NSOperationQueue : NSObject
@property (class, readonly, strong) NSOperationQueue *mainQueue;
- (void)addOperationWithBlock:(void (^)(void))block;
@end

@interface NSCoder : NSObject
@end

@protocol NSCoding
- (nullable instancetype)initWithCoder:(NSCoder *)coder;
@end

@interface NSNotification : NSObject
@end

@interface NSNotificationCenter : NSObject
@property (class, readonly, strong) NSNotificationCenter *defaultCenter;
- (id<NSObject>)addObserverForName:(nullable NSString *)name object:(nullable id)obj queue:(nullable NSOperationQueue *)queue usingBlock:(void (^)(NSNotification *notification))block;
- (void)removeObserver:(id)observer;
@end

__attribute__((swift_bridge("Foundation.URLRequest")))
@interface NSURLRequest : NSObject
@end

__attribute__((swift_name("URLResponse")))
@interface NSURLResponse : NSObject
@end

__attribute__((swift_name("HTTPURLResponse")))
@interface NSHTTPURLResponse : NSURLResponse
@property (readonly) NSInteger statusCode;
@end

__attribute__((swift_name("URLSessionTask")))
@interface NSURLSessionTask : NSObject
@property (nullable, readonly, copy) NSURLResponse *response;
- (void)cancel;
- (void)resume;
@end

__attribute__((swift_name("URLSessionDataTask")))
@interface NSURLSessionDataTask : NSURLSessionTask
@end

__attribute__((swift_name("URLSessionConfiguration")))
@interface NSURLSessionConfiguration : NSObject
@property (class, readonly, strong) NSURLSessionConfiguration *ephemeralSessionConfiguration __attribute__((swift_name("ephemeral")));
@end

@class NSURLSession;
__attribute__((swift_name("URLSessionDelegate")))
@protocol NSURLSessionDelegate <NSObject>
@end

__attribute__((swift_name("URLSessionTaskDelegate")))
@protocol NSURLSessionTaskDelegate <NSURLSessionDelegate>
@optional
- (void)URLSession:(NSURLSession *)session task:(NSURLSessionTask *)task didCompleteWithError:(nullable NSError *)error;
@end

__attribute__((swift_name("URLSessionDataDelegate")))
@protocol NSURLSessionDataDelegate <NSURLSessionTaskDelegate>
@optional
- (void)URLSession:(NSURLSession *)session dataTask:(NSURLSessionDataTask *)dataTask didReceiveData:(NSData *)data;
@end

__attribute__((swift_name("URLSession")))
@interface NSURLSession : NSObject
+ (NSURLSession *)sessionWithConfiguration:(NSURLSessionConfiguration *)configuration delegate:(nullable id<NSURLSessionDelegate>)delegate delegateQueue:(nullable NSOperationQueue *)queue;
- (NSURLSessionDataTask *)dataTaskWithRequest:(NSURLRequest *)request;
- (void)finishTasksAndInvalidate;
@end

void NSLog(NSString *format, ...) __attribute__((format(__NSString__, 1, 2)));

NS_ASSUME_NONNULL_END

#endif
