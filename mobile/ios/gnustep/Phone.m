#import "Phone.h"

NSError *failure(NSString *text) {
	return [NSError errorWithDomain:@"test" code:1 userInfo:[NSDictionary dictionaryWithObject:text forKey:NSLocalizedDescriptionKey]];
}

@implementation Phone

- (id)initWithSpec:(RHActionsArguments *)given {
	if ((self = [super init])) {
		spec = [given retain];
		effects = [[RHActionsArgumentList alloc] init];
	}
	return self;
}

- (RHActionsArgumentList *)effects {
	return effects;
}

- (BOOL)has:(NSString *)capability {
	RHActionsArgumentList *without = [spec getList:@"without"];
	for (int32_t i = 0; i < [without count]; i++) {
		if ([[[without at:i] asString:@""] isEqual:capability]) {
			return NO;
		}
	}
	return YES;
}

- (void)installIn:(RHActionsRegistry *)registry {
	if ([self has:@"dismisser"]) [registry setDismisser:self];
	if ([self has:@"link_opener"]) [registry setLinkOpener:self];
	if ([self has:@"notifications"]) [registry setNotifications:self];
	if ([self has:@"settings"]) [registry setSettings:self];
	if ([self has:@"clipboard"]) [registry setClipboard:self];
	if ([self has:@"reviewer"]) [registry setReviewer:self];
	if ([self has:@"tracking"]) [registry setTracking:self];
	if ([self has:@"user_data"]) [registry setUserData:self];
	if ([[spec getString:@"interceptor" fallback:@""] length] > 0) [registry setLinkInterceptor:self];
}

- (void)record:(RHActionsInvocation *)invocation {
	RHActionsArguments *effect = [[RHActionsArguments alloc] init];
	[effect setString:@"handler" value:[invocation identifier]];
	[effect setArguments:@"arguments" value:[invocation arguments]];
	RHActionsArguments *payload = [[invocation source] payload];
	if (payload == nil && [[[invocation source] kind] isEqual:RHActionsSourceManual]) {
		[effect setString:@"source" value:RHActionsSourceManual];
	} else {
		RHActionsArguments *object = [[RHActionsArguments alloc] init];
		[object setString:@"kind" value:[[invocation source] kind]];
		if (payload != nil) {
			[object setArguments:@"payload" value:payload];
		}
		[effect setArguments:@"source" value:object];
	}
	[effects addArguments:effect];
}

- (RHActionsArguments *)effect:(NSString *)name {
	RHActionsArguments *effect = [[RHActionsArguments alloc] init];
	[effect setString:@"host" value:name];
	return effect;
}

- (NSString *)refusal:(NSString *)capability {
	return [[spec getArguments:@"refuse"] getString:capability fallback:@""];
}

// Has an effect unless the capability refuses.
- (BOOL)work:(NSString *)capability completion:(RHActionsCompletion *)completion effect:(RHActionsArguments *)effect error:(NSError **)error {
	NSString *refusal = [self refusal:capability];
	if ([refusal isEqual:@"blocked"]) {
		[completion blocked:@"refused by the platform"];
	} else if ([refusal isEqual:@"failed"]) {
		*error = failure(@"refused by the host");
		return NO;
	} else {
		[effects addArguments:effect];
		[completion succeed];
	}
	return YES;
}

- (BOOL)prompt:(NSString *)capability completion:(RHActionsPermissionCompletion *)completion permission:(NSString *)permission effect:(RHActionsArguments *)effect error:(NSError **)error {
	NSString *refusal = [self refusal:capability];
	if ([refusal isEqual:@"blocked"]) {
		[completion blocked:@"refused by the platform"];
	} else if ([refusal isEqual:@"failed"]) {
		*error = failure(@"refused by the host");
		return NO;
	} else {
		[effects addArguments:effect];
		[completion answer:permission];
	}
	return YES;
}

- (BOOL)dismiss:(RHActionsCompletion *)completion error:(NSError **)error {
	return [self work:@"dismisser" completion:completion effect:[self effect:@"dismiss"] error:error];
}

- (BOOL)openLink:(NSString *)url inApp:(BOOL)inApp completion:(RHActionsCompletion *)completion error:(NSError **)error {
	RHActionsArguments *effect = [self effect:@"link.open"];
	[effect setString:@"url" value:url];
	[effect setBool:@"in_app" value:inApp];
	return [self work:@"link_opener" completion:completion effect:effect error:error];
}

- (BOOL)interceptLink:(NSString *)url completion:(RHActionsLinkCompletion *)completion error:(NSError **)error {
	RHActionsArguments *effect = [self effect:@"interceptor"];
	[effect setString:@"url" value:url];
	[effects addArguments:effect];
	if ([[spec getString:@"interceptor" fallback:@""] isEqual:@"handled"]) {
		[completion handled];
	} else {
		[completion notHandled];
	}
	return YES;
}

- (BOOL)notificationStatus:(RHActionsPermissionCompletion *)completion error:(NSError **)error {
	[completion answer:[spec getString:@"notifications" fallback:@""]];
	return YES;
}

- (BOOL)requestNotifications:(RHActionsPermissionCompletion *)completion error:(NSError **)error {
	return [self prompt:@"notifications" completion:completion permission:[spec getString:@"notifications" fallback:@""] effect:[self effect:@"notifications.request"] error:error];
}

- (BOOL)openSettings:(NSString *)page completion:(RHActionsCompletion *)completion error:(NSError **)error {
	RHActionsArguments *effect = [self effect:@"settings.open"];
	[effect setString:@"page" value:page];
	return [self work:@"settings" completion:completion effect:effect error:error];
}

- (BOOL)writeText:(NSString *)text completion:(RHActionsCompletion *)completion error:(NSError **)error {
	RHActionsArguments *effect = [self effect:@"clipboard.write"];
	[effect setString:@"text" value:text];
	return [self work:@"clipboard" completion:completion effect:effect error:error];
}

- (BOOL)requestReview:(RHActionsCompletion *)completion error:(NSError **)error {
	return [self work:@"reviewer" completion:completion effect:[self effect:@"review.request"] error:error];
}

- (BOOL)trackingStatus:(RHActionsPermissionCompletion *)completion error:(NSError **)error {
	[completion answer:[spec getString:@"tracking" fallback:@""]];
	return YES;
}

- (BOOL)requestTracking:(RHActionsPermissionCompletion *)completion error:(NSError **)error {
	return [self prompt:@"tracking" completion:completion permission:[spec getString:@"tracking" fallback:@""] effect:[self effect:@"tracking.request"] error:error];
}

- (RHActionsArguments *)effect:(NSString *)name collection:(NSString *)collection tag:(NSString *)tag {
	RHActionsArguments *effect = [self effect:name];
	[effect setString:@"collection" value:collection];
	[effect setString:@"tag" value:tag];
	return effect;
}

- (BOOL)addTag:(NSString *)collection tag:(NSString *)tag completion:(RHActionsCompletion *)completion error:(NSError **)error {
	return [self work:@"user_data" completion:completion effect:[self effect:@"tag.add" collection:collection tag:tag] error:error];
}

- (BOOL)removeTag:(NSString *)collection tag:(NSString *)tag completion:(RHActionsCompletion *)completion error:(NSError **)error {
	return [self work:@"user_data" completion:completion effect:[self effect:@"tag.remove" collection:collection tag:tag] error:error];
}

- (BOOL)trackEvent:(RHActionsEvent *)event completion:(RHActionsCompletion *)completion error:(NSError **)error {
	RHActionsArguments *effect = RHActionsArgumentsFromJSON([event json:NULL], NULL);
	[effect setString:@"host" value:@"event"];
	return [self work:@"user_data" completion:completion effect:effect error:error];
}

@end
