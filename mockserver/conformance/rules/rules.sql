-- The rules of `mockserver check`, asked once more in SQL and of nothing but the eleven files: what is selected violates the rule.
-- Each is followed by a fault that it has to find. The variables opens, middle and now are the windows of the files: those of
-- profiles.events.1.json and .2.json meet at middle, all others reach from opens to now.

-- rule time-order
select * from (select *, lag(event_date) over (order by row) as before from events) where event_date < before;
-- fault
update events set row = -1 where row = (select max(row) from events);

-- rule window
select 'events' as file, event_date from events where event_date < getvariable('opens') or event_date >= getvariable('now')
union all select 'earlier', event_date from earlier where event_date < getvariable('opens') or event_date >= getvariable('middle')
union all select 'later', event_date from later where event_date < getvariable('middle') or event_date >= getvariable('now')
union all select 'changes', event_date from changes where event_date < getvariable('opens') or event_date >= getvariable('now')
union all select file, event_date from legacy where event_date < getvariable('opens') or event_date >= getvariable('now')
union all select 'reachable', event_date from reachable where event_date < getvariable('opens') or event_date >= getvariable('now');
-- fault
update earlier set event_date = getvariable('middle') where row = 1;

-- rule future
select install_id, last_start_date from userbase where greatest(install_date, last_start_date) > getvariable('now')
union all select profile_id, last_activity from profiles
where greatest(creation_date, last_visit_date, last_activity, marketing_open, transactional_open, marketing_click, transactional_click) > getvariable('now');
-- fault
update profiles set last_activity = getvariable('now') + interval 1 second where profile_id = (select min(profile_id) from profiles);

-- rule creation
select profile_id, event_date, creation_date from events join profiles using (profile_id) where event_date < creation_date
union all select profile_id, event_date, creation_date from changes join profiles using (profile_id) where event_date < creation_date
union all select install_id, event_date, install_date from legacy join userbase using (install_id) where event_date < install_date
union all select install_id, event_date, install_date from reachable join userbase using (install_id) where event_date < install_date
union all select install_id, last_start_date, install_date from userbase where last_start_date < install_date
union all select profile_id, last_activity, creation_date from profiles
where least(last_visit_date, last_activity, marketing_open, transactional_open, marketing_click, transactional_click) < creation_date;
-- fault
update profiles set creation_date = last_activity + interval 1 second where last_activity is not null;

-- rule duplicates
select profile_id as what from profiles group by profile_id having count(*) > 1
union all select install_id from userbase group by install_id having count(*) > 1
union all select id from changes group by id having count(*) > 1
union all select install_id from ids group by install_id, file, custom_id, advertising_id, event_type having count(*) > 1
union all select sent_id || event_type from events group by sent_id, event_type, event_date, profile_id having count(*) > 1
union all select install_id from (select * exclude (row), count(*) as times from legacy where file not like 'in-app%' group by all) where times > 1
union all select install_id from (select * exclude (row), count(*) as times from reachable group by all) where times > 1;
-- fault
insert into changes from changes limit 1;

-- rule tiling
(select * exclude (row) from events except all (select * exclude (row) from earlier union all select * exclude (row) from later))
union all ((select * exclude (row) from earlier union all select * exclude (row) from later) except all select * exclude (row) from events);
-- fault
delete from later where row = 1;

-- rule profile-identifiers
with known as (
    select distinct profile_id, custom_id from (
        select profile_id, custom_id from profiles union all select profile_id, custom_id from events union all select profile_id, custom_id from changes)
    where custom_id <> '')
select profile_id from known group by profile_id having count(*) > 1
union all select custom_id from known group by custom_id having count(*) > 1;
-- fault
update profiles set custom_id = 'somebody else' where profile_id in (select profile_id from events where custom_id is not null);

-- rule installation-identifiers
with seen as (
    select install_id, event_date, custom_id, advertising_id, true as linked from legacy
    union all select install_id, event_date, custom_id, advertising_id, has_custom_id from reachable
    union all select install_id, getvariable('now'), custom_id, advertising_id, true from userbase),
owners as (
    select *, count(*) filter (not linked) over (partition by install_id order by event_date) as unlinked from seen)
select install_id from owners group by install_id having count(distinct advertising_id) > 1
union all select install_id from owners group by install_id, unlinked having count(distinct custom_id) > 1
union all select install_id from (
    select unnest(subscriptions).installation_id as install_id, upper(unnest(subscriptions).platform) as platform from profiles
    union all select install_id, upper(platform) from changes where channel = 'PUSH')
group by install_id having count(distinct replace(platform, 'WEBPUSH', 'WEB')) > 1;
-- fault
update userbase set advertising_id = 'another' where advertising_id is not null and install_id in (select install_id from legacy);

-- rule link
select install_id, custom_id, has_custom_id from reachable where has_custom_id <> (custom_id is not null);
-- fault
update reachable set has_custom_id = not has_custom_id where row = 1;

-- rule contact
select profile_id, events.event_date, events.email_address, profiles.email_address
from events join profiles using (profile_id)
where events.email_address <> profiles.email_address
    and not exists (from changes where channel = 'EMAIL' and changes.profile_id = events.profile_id and changes.event_date >= events.event_date)
union all
select profile_id, events.event_date, events.phone_number, profiles.phone_number
from events join profiles using (profile_id)
where events.phone_number <> profiles.phone_number
    and not exists (from changes where channel = 'SMS' and changes.profile_id = events.profile_id and changes.event_date >= events.event_date);
-- fault
update profiles set email_address = 'another@example.com' where email_address is not null;

-- rule journey
with steps as (
    select sent_id,
        min(event_date) filter (event_type like '%\_sent' escape '\') as sent,
        min(event_date) filter (event_type like '%\_delivered' escape '\') as delivered,
        min(event_date) filter (event_type like '%\_open' escape '\') as opened,
        min(event_date) filter (event_type like '%\_click' escape '\') as clicked,
        min(event_date) as first,
        any_value(event_type) as event_type
    from events group by sent_id)
select * from steps
where delivered < sent or opened < sent or opened < delivered or (clicked < opened and sent is not null)
    or first < sent
    or (sent is null and first >= getvariable('opens') + interval 30 day)
    or (clicked >= getvariable('opens') + interval 30 day and opened is null and event_type like 'email%')
    or (event_type like 'email%' and opened is not null and delivered is null and opened >= getvariable('opens') + interval 30 day);
-- fault
delete from events where event_type = 'push_sent' and event_date >= getvariable('opens') + interval 30 day;

-- rule exclusion
select sent_id from events group by sent_id
having bool_or(event_type in ('push_bounced', 'email_bounced', 'sms_bounced'))
    and bool_or(event_type in ('email_delivered', 'sms_delivered', 'email_open', 'push_open', 'email_click'));
-- fault
update events set event_type = 'email_bounced' where event_type = 'email_open';

-- rule unsubscribed
select message.profile_id, message.event_date, consent.event_date
from (from events where event_type in ('email_sent', 'sms_sent')) message
asof join (from changes where channel <> 'PUSH') consent
    on message.profile_id = consent.profile_id and upper(split_part(message.event_type, '_', 1)) = consent.channel and message.event_date > consent.event_date
where coalesce(email_marketing, sms_marketing) is distinct from 'subscribed'
union all
select legacy.install_id, legacy.event_date, reachable.event_date
from legacy asof join reachable on legacy.install_id = reachable.install_id and legacy.event_date > reachable.event_date
where legacy.event_type = 'push_sent' and not reachable.is_optin;
-- fault
update reachable set is_optin = false;

-- rule latest
with latest as (
    select profile_id, max(event_date) filter (event_type = 'email_open') as opened, max(event_date) filter (event_type = 'email_click') as clicked
    from events group by profile_id)
select profile_id, opened, marketing_open, clicked, marketing_click, last_activity
from profiles left join latest using (profile_id)
where opened is distinct from (case when greatest(marketing_open, transactional_open) >= getvariable('opens') then greatest(marketing_open, transactional_open) end)
    or clicked is distinct from (case when greatest(marketing_click, transactional_click) >= getvariable('opens') then greatest(marketing_click, transactional_click) end)
    or last_activity <> greatest(marketing_open, transactional_open, marketing_click, transactional_click, last_visit_date);
-- fault
update profiles set marketing_open = marketing_open + interval 1 second;

-- rule consent
select profile_id, c.email_marketing, profiles.email_marketing from profiles
join (select profile_id, last(email_marketing order by row) as email_marketing, last(has_email_address order by row) as has from changes where channel = 'EMAIL' group by profile_id) c
    using (profile_id)
where c.email_marketing is distinct from profiles.email_marketing or c.has <> (email_address is not null)
union all
select profile_id, c.sms_marketing, profiles.sms_marketing from profiles
join (select profile_id, last(sms_marketing order by row) as sms_marketing, last(has_phone_number order by row) as has from changes where channel = 'SMS' group by profile_id) c
    using (profile_id)
where c.sms_marketing is distinct from profiles.sms_marketing or c.has <> (phone_number is not null)
union all
select install_id, c.is_optin::varchar, userbase.is_optin::varchar from userbase
join (select install_id, last(is_optin order by row) as is_optin from reachable group by install_id) c using (install_id)
where c.is_optin <> userbase.is_optin
union all
select install_id, userbase.is_optin::varchar, s.is_subscribed::varchar from userbase
join (select unnest(subscriptions).installation_id as install_id, unnest(subscriptions).is_subscribed as is_subscribed from profiles) s using (install_id)
where userbase.is_optin <> s.is_subscribed;
-- fault
update userbase set is_optin = not is_optin where install_id in (select install_id from reachable);

-- rule change
select * from (
    select *, lag((is_reachable, is_optin, has_custom_id, custom_id)) over (partition by install_id order by row) as before from reachable)
where before = (is_reachable, is_optin, has_custom_id, custom_id)
union all by name
select profile_id, event_date from changes
where list_contains(reasons, 'SUBSCRIBED_TO_EMAIL_MARKETING') and email_marketing is distinct from 'subscribed'
    or list_contains(reasons, 'UNSUBSCRIBED_FROM_EMAIL_MARKETING') and email_marketing is distinct from 'unsubscribed'
    or list_contains(reasons, 'EMAIL_ADDRESS_REMOVED') and has_email_address
    or list_contains(reasons, 'EMAIL_ADDRESS_ADDED') and not has_email_address
    or list_contains(reasons, 'SUBSCRIBED_TO_SMS_MARKETING') and sms_marketing is distinct from 'subscribed'
    or list_contains(reasons, 'UNSUBSCRIBED_FROM_SMS_MARKETING') and sms_marketing is distinct from 'unsubscribed'
    or list_contains(reasons, 'SUBSCRIBED_TO_PUSH') and not is_optin
    or list_contains(reasons, 'UNSUBSCRIBED_FROM_PUSH') and is_optin
    or len(reasons) = 0;
-- fault
update changes set is_optin = not is_optin where list_contains(reasons, 'SUBSCRIBED_TO_PUSH');

-- rule projection
(select distinct replace(file, '.events', '.ids') as file, install_id, custom_id, advertising_id, event_type from legacy except select * from ids)
union all (select * from ids except select replace(file, '.events', '.ids'), install_id, custom_id, advertising_id, event_type from legacy);
-- fault
delete from ids where file = 'in-app-campaign.ids';

-- rule places
select profile_id, region, timezone from profiles
where region is not null and timezone is not null and timezone not in ('UTC', 'Etc/UTC')
    and not exists (from zones where zones.region = profiles.region and zones.timezone = profiles.timezone);
-- fault
update profiles set timezone = 'Pacific/Apia';

-- rule starts
select install_id, event_date, last_start_date from legacy join userbase using (install_id)
where event_type in ('push_opened', 'inapp_shown', 'inapp_clicked', 'inapp_closed') and event_date > last_start_date
union all
select profile_id, event_date, last_visit_date from events join profiles using (profile_id)
where event_type in ('push_open', 'inapp_shown', 'inapp_clicked', 'inapp_closed') and event_date > last_visit_date
union all
select profile_id, last_start_date, last_visit_date from profiles
join userbase on list_contains(installation_ids, install_id) where last_start_date > last_visit_date;
-- fault
update userbase set last_start_date = install_date;

-- rule ended
select sent.email_address, sent.event_date from events sent
join events gone on gone.email_address = sent.email_address and gone.bounce_type = 'hard' and sent.event_date > gone.event_date
where sent.event_type = 'email_sent'
union all
select sent.profile_id, sent.event_date from events sent
join events gone on gone.profile_id = sent.profile_id and gone.platform = sent.platform and gone.event_type = 'push_bounced' and gone.bounce_type = 'hard'
    and sent.event_date > gone.event_date
join (select profile_id, platform, any_value(install_id) as install_id
    from (select profile_id, unnest(subscriptions).platform as platform, unnest(subscriptions).installation_id as install_id from profiles)
    group by profile_id, platform having count(*) = 1) single on single.profile_id = sent.profile_id and single.platform = sent.platform
where sent.event_type = 'push_sent' and not exists (from reachable
    where reachable.install_id = single.install_id and is_reachable and reachable.event_date between gone.event_date and sent.event_date);
-- fault
update events set bounce_type = 'hard' where event_type = 'push_bounced';

-- rule segment
select * from (
    select install_id, smart_segment, case
        when install_date > getvariable('now') - interval 14 day then 'new'
        when last_start_date > getvariable('now') - interval 7 day then 'active'
        when last_start_date > getvariable('now') - interval 60 day then 'occasional'
        else 'inactive' end as follows
    from userbase)
where smart_segment <> follows and smart_segment <> 'migrated';
-- fault
update userbase set smart_segment = case smart_segment when 'active' then 'inactive' when 'inactive' then 'active' else smart_segment end;

-- rule sendings
with push as (
    select *, case event_type when 'push_opened' then 'push_open' when 'push_error' then 'push_bounced' else 'push_sent' end as as_event
    from legacy where file not like 'in-app%' and custom_id is not null),
told as (
    select *, exists (from events
        where events.custom_id = push.custom_id and events.event_date = push.event_date and events.event_type = push.as_event) as found
    from push where as_event in (select event_type from events)) -- a world of one orchestration may have none for push messages
select * from told
where not found and not (file like 'transactional%' and (select 20 * count(*) filter (found) < count(*) from told where file like 'transactional%'));
-- fault
update events set event_date = event_date + interval 1 second where event_type = 'push_open';

-- rule not-before
select event_date from changes where event_date < timestamp '2024-10-10 00:00:00';
-- fault
update changes set event_date = timestamp '2024-10-09 23:59:59' where row = 1;

-- rule lookback
select 'legacy', file, min(event_date), max(event_date) from legacy group by file having max(event_date) - min(event_date) > interval 90 day
union all select 'reachable', '', min(event_date), max(event_date) from reachable having max(event_date) - min(event_date) > interval 90 day
union all select 'events', '', min(event_date), max(event_date) from events having max(event_date) - min(event_date) > interval 90 day
union all select 'changes', '', min(event_date), max(event_date) from changes having max(event_date) - min(event_date) > interval 90 day;
-- fault
update reachable set event_date = event_date - interval 91 day where row = 1;
