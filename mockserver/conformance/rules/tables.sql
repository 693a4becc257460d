-- The eleven files of a world as tables. {directory} holds them; row is the place of a row in its file, from 1.

create or replace table legacy as
select row_number() over () as row, * from (
    {campaigns}
);

create or replace table ids as
{ids};

create or replace table reachable as
select row_number() over () as row, install_id, nullif(custom_id, '') as custom_id, nullif(advertising_id, '') as advertising_id,
    event_date::timestamp as event_date, is_reachable::boolean as is_reachable, is_optin::boolean as is_optin, has_custom_id::boolean as has_custom_id
from read_csv('{directory}/reachability.events.csv', delim = ';', header = true, all_varchar = true);

create or replace table userbase as
select install_id, nullif(custom_id, '') as custom_id, nullif(advertising_id, '') as advertising_id, is_optin_push::boolean as is_optin,
    install_date::timestamp as install_date, last_start_date::timestamp as last_start_date, smart_segment
from read_csv('{directory}/userbase.csv', delim = ';', header = true, all_varchar = true);

create or replace table profiles as
select identifiers->>'profile_id' as profile_id, identifiers->>'custom_id' as custom_id,
    from_json(identifiers->'installation_ids', '["VARCHAR"]') as installation_ids,
    (attributes->>'$."$creation_date"')::timestamp as creation_date, (attributes->>'$."$last_visit_date"')::timestamp as last_visit_date,
    (attributes->>'$."$last_activity"')::timestamp as last_activity,
    (attributes->>'$."$last_email_marketing_open"')::timestamp as marketing_open,
    (attributes->>'$."$last_email_transactional_open"')::timestamp as transactional_open,
    (attributes->>'$."$last_email_marketing_click"')::timestamp as marketing_click,
    (attributes->>'$."$last_email_transactional_click"')::timestamp as transactional_click,
    attributes->>'$."$email_address"' as email_address, attributes->>'$."$phone_number"' as phone_number,
    attributes->>'$."$email_marketing"' as email_marketing, attributes->>'$."$sms_marketing"' as sms_marketing,
    attributes->>'$."$region"' as region, attributes->>'$."$timezone"' as timezone,
    from_json(attributes->'$."$push_subscriptions"', '[{{"installation_id": "VARCHAR", "is_subscribed": "BOOLEAN", "platform": "VARCHAR"}}]') as subscriptions
from read_json('{directory}/profiles.attributes.json', columns = {{attributes: 'JSON', identifiers: 'JSON'}}, format = 'array',
    maximum_object_size = 64000000);

create or replace macro events_of(file) as table
select row_number() over () as row, identifiers->>'profile_id' as profile_id, identifiers->>'custom_id' as custom_id, sent_id,
    event_date::timestamp as event_date, event_type, email_address, phone_number, bounce_type, platform, orchestration_id, orchestration_name
from read_json(file, columns = {{identifiers: 'JSON', sent_id: 'VARCHAR', event_date: 'VARCHAR', event_type: 'VARCHAR', email_address: 'VARCHAR',
    phone_number: 'VARCHAR', bounce_type: 'VARCHAR', platform: 'VARCHAR', orchestration_id: 'VARCHAR', orchestration_name: 'VARCHAR'}},
    format = 'array', maximum_object_size = 64000000);

create or replace table events as from events_of('{directory}/profiles.events.json');
create or replace table earlier as from events_of('{directory}/profiles.events.1.json');
create or replace table later as from events_of('{directory}/profiles.events.2.json');

create or replace table changes as
select row_number() over () as row, identifiers->>'profile_id' as profile_id, identifiers->>'custom_id' as custom_id,
    identifiers->>'installation_id' as install_id, event->>'channel' as channel, event->>'id' as id, (event->>'timestamp')::timestamp as event_date,
    from_json(event->'reasons', '["VARCHAR"]') as reasons, (event->>'has_email_address')::boolean as has_email_address,
    (event->>'has_phone_number')::boolean as has_phone_number, event->>'email_marketing' as email_marketing, event->>'sms_marketing' as sms_marketing,
    (event->>'is_optin')::boolean as is_optin, event->>'platform' as platform
from read_json('{directory}/profiles.reachability.json', columns = {{event: 'JSON', identifiers: 'JSON'}}, format = 'array',
    maximum_object_size = 64000000);
