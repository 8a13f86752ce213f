create sequence outbox_id_seq;

create table auth_secrets (name text not null, value bytea not null);

create table config_values (key text not null, value text not null, updated_at timestamp with time zone not null);

create table credentials (user_id uuid not null, password_hash text not null);

create table files (share_uid uuid not null, id uuid not null, name text not null, size_bytes bigint not null, crc32 bigint not null, sha256 bytea, object_key text not null, created_at timestamp with time zone not null);

create table migrations_admin (name text not null, applied_at timestamp with time zone default now() not null);

create table migrations_auth (name text not null, applied_at timestamp with time zone default now() not null);

create table migrations_file (name text not null, applied_at timestamp with time zone default now() not null);

create table migrations_limits (name text not null, applied_at timestamp with time zone default now() not null);

create table migrations_platform (name text not null, applied_at timestamp with time zone default now() not null);

create table migrations_share (name text not null, applied_at timestamp with time zone default now() not null);

create table outbox (id bigint default nextval('outbox_id_seq'::regclass) not null, name text not null, payload jsonb not null, request_id text, created_at timestamp with time zone default CURRENT_TIMESTAMP not null);

create unlogged table rate_limits (key text not null, points integer not null, expire bigint not null) with (fillfactor=70);

create table refresh_tokens (token_hash bytea not null, session_id uuid not null, created_at timestamp with time zone not null, replaced_at timestamp with time zone);

create table sessions (id uuid not null, user_id uuid not null, created_at timestamp with time zone not null, expires_at timestamp with time zone not null, revoked_at timestamp with time zone, last_used_at timestamp with time zone not null, user_agent text not null, client_address text not null);

create table share_recipients (share_uid uuid not null, email text not null);

create table share_secrets (name text not null, value text not null);

create table share_totals (share_uid uuid not null, reserved_bytes bigint default '0'::bigint not null);

create table share_visits (share_uid uuid not null, visitor_hash text not null, granted_at timestamp with time zone not null, expires_at timestamp with time zone not null);

create table shares (uid uuid not null, id text not null, created_at timestamp with time zone not null, name text, description text, expires_at timestamp with time zone, password_hash text, max_views integer, views integer default 0 not null, creator_id uuid, owner_token_hash text, state text not null, completed_at timestamp with time zone, last_activity_at timestamp with time zone not null, removed_reason text);

create table uploads (id text not null, kind text not null, share_uid uuid, share_id text, user_id uuid, file_id uuid not null, name text not null, metadata text, concatenation text, length_bytes bigint, chunk_bytes bigint, object_key text not null, offset_bytes bigint default '0'::bigint not null, crc32 bigint default '0'::bigint not null, synced_bytes bigint default '0'::bigint not null, synced_crc32 bigint default '0'::bigint not null, boot_id text not null, discards_unverified boolean default false not null, reserved_bytes bigint default '0'::bigint not null, lease_token bigint default '0'::bigint not null, lease_holder integer, created_at timestamp with time zone not null, expires_at timestamp with time zone not null, finished_at timestamp with time zone);

create table users (id uuid not null, username text not null, email text not null, is_admin boolean not null, created_at timestamp with time zone not null);

alter sequence public.outbox_id_seq owned by outbox.id;

alter table auth_secrets add constraint auth_secrets_pkey PRIMARY KEY (name);

alter table config_values add constraint config_values_pkey PRIMARY KEY (key);

alter table credentials add constraint credentials_pkey PRIMARY KEY (user_id);

alter table files add constraint files_object_key_unique UNIQUE (object_key);

alter table files add constraint files_pkey PRIMARY KEY (share_uid, id);

alter table migrations_admin add constraint migrations_admin_pkey PRIMARY KEY (name);

alter table migrations_auth add constraint migrations_auth_pkey PRIMARY KEY (name);

alter table migrations_file add constraint migrations_file_pkey PRIMARY KEY (name);

alter table migrations_limits add constraint migrations_limits_pkey PRIMARY KEY (name);

alter table migrations_platform add constraint migrations_platform_pkey PRIMARY KEY (name);

alter table migrations_share add constraint migrations_share_pkey PRIMARY KEY (name);

alter table outbox add constraint outbox_pkey PRIMARY KEY (id);

alter table rate_limits add constraint rate_limits_pkey PRIMARY KEY (key);

alter table refresh_tokens add constraint refresh_tokens_pkey PRIMARY KEY (token_hash);

alter table sessions add constraint sessions_pkey PRIMARY KEY (id);

alter table share_recipients add constraint share_recipients_pkey PRIMARY KEY (share_uid, email);

alter table share_secrets add constraint share_secrets_pkey PRIMARY KEY (name);

alter table share_totals add constraint share_totals_pkey PRIMARY KEY (share_uid);

alter table share_visits add constraint share_visits_pkey PRIMARY KEY (share_uid, visitor_hash);

alter table shares add constraint shares_id_unique UNIQUE (id);

alter table shares add constraint shares_pkey PRIMARY KEY (uid);

alter table shares add constraint shares_state_known CHECK ((state = ANY (ARRAY['open'::text, 'completed'::text, 'reopened'::text])));

alter table uploads add constraint uploads_object_key_unique UNIQUE (object_key);

alter table uploads add constraint uploads_pkey PRIMARY KEY (id);

alter table uploads add constraint uploads_share_uid_file_id_unique UNIQUE (share_uid, file_id);

alter table users add constraint users_pkey PRIMARY KEY (id);

alter table credentials add constraint credentials_user_id_foreign FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table refresh_tokens add constraint refresh_tokens_session_id_foreign FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE;

alter table sessions add constraint sessions_user_id_foreign FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table share_recipients add constraint share_recipients_share_uid_foreign FOREIGN KEY (share_uid) REFERENCES shares(uid) ON DELETE CASCADE;

alter table share_visits add constraint share_visits_share_uid_foreign FOREIGN KEY (share_uid) REFERENCES shares(uid) ON DELETE CASCADE;

CREATE INDEX files_unhashed ON public.files USING btree (share_uid, id) WHERE (sha256 IS NULL);

CREATE INDEX rate_limits_expire ON public.rate_limits USING btree (expire);

CREATE INDEX refresh_tokens_session_id_index ON public.refresh_tokens USING btree (session_id);

CREATE INDEX sessions_user_id_index ON public.sessions USING btree (user_id);

CREATE INDEX share_visits_expiry ON public.share_visits USING btree (expires_at);

CREATE INDEX shares_creator ON public.shares USING btree (creator_id);

CREATE INDEX shares_expiry ON public.shares USING btree (expires_at) WHERE (expires_at IS NOT NULL);

CREATE INDEX shares_idle ON public.shares USING btree (last_activity_at) WHERE (state = 'open'::text);

CREATE INDEX uploads_expires_at_index ON public.uploads USING btree (expires_at);

CREATE INDEX uploads_unfinished_by_user ON public.uploads USING btree (user_id) WHERE (finished_at IS NULL);

CREATE UNIQUE INDEX users_email_unique ON public.users USING btree (lower(email));

CREATE UNIQUE INDEX users_username_unique ON public.users USING btree (lower(username));

set session_replication_role = replica;

insert into auth_secrets select * from json_populate_recordset(null::auth_secrets, $rows$[
{"name":"access-token-key","value":"\\x861a1d08f6543c070f20852f28c3cdc296695e7d79ed2931d8448409e633f349"}
]$rows$);

insert into config_values select * from json_populate_recordset(null::config_values, $rows$[
{"key":"general.appName","value":"Floe of old","updated_at":"2026-11-08T22:17:52.294+00:00"},
{"key":"smtp.host","value":"127.0.0.1","updated_at":"2026-11-08T22:17:52.294+00:00"}
]$rows$);

insert into credentials select * from json_populate_recordset(null::credentials, $rows$[
{"user_id":"04161246-fded-45c2-8dcf-3014949958b8","password_hash":"$argon2id$v=19$m=19456,t=2,p=1$xCLPXXdqQ8Dv5p93kBuApw$m94SYSbjP4RqJqARYOIicVaxPCx5j8uEOjuLVuPybEg"},
{"user_id":"6f5fd0a6-3c6f-402f-bc7d-9485529f224c","password_hash":"$argon2id$v=19$m=19456,t=2,p=1$oIIyRxiun9qpVxLibjEr+g$840mtS5g23B50HF2uWWyDUji3ME62eHtLGjSiS1Bz/8"}
]$rows$);

insert into files select * from json_populate_recordset(null::files, $rows$[
{"share_uid":"2a66e105-c0db-4549-86e2-2dff66cbcfbe","id":"be7e4a80-0f2c-46a4-94e4-cc7bfcbd48c7","name":"kept.txt","size_bytes":4,"crc32":4213729798,"sha256":"\\x79f076abdd19a752db7267bfff2f9022161d120dea919fdaca2ffdfc24ca8c96","object_key":"bdc0fb236d8b8553c51b52a847a7280c","created_at":"2026-11-23T15:17:52.294+00:00"},
{"share_uid":"8223f1a6-8adc-4c13-b297-4b97245c25f3","id":"58f9e4eb-bb1d-42fe-9b0f-9b4f54c2818c","name":"old.txt","size_bytes":3,"crc32":1063113957,"sha256":"\\xcba06b5736faf67e54b07b561eae94395e774c517a7d910a54369e1263ccfbd4","object_key":"5388563dfac7a04d96b940997b841ee4","created_at":"2026-11-23T15:17:52.294+00:00"},
{"share_uid":"a59fcfc5-e6c8-409a-92a9-045500145c84","id":"dac869cb-463b-4a19-af6c-52129a7257b5","name":"a.txt","size_bytes":9,"crc32":1872400483,"sha256":"\\x1054585d7bd37511d43a47f695267b643dd52364d716feb37bde22e59b7e709e","object_key":"0ea778f06559518fde9eec3e578c6866","created_at":"2026-11-23T15:17:52.294+00:00"},
{"share_uid":"b8938e77-698d-4517-bafd-50bceac9108d","id":"bbb4c686-f098-4e73-8f55-a2a4aa202c04","name":"first.txt","size_bytes":5,"crc32":2456940119,"sha256":"\\xa7937b64b8caa58f03721bb6bacf5c78cb235febe0e70b1b84cd99541461a08e","object_key":"85a30bcd19293cc530347afc5d00742c","created_at":"2026-11-23T15:17:52.294+00:00"},
{"share_uid":"dd0f9886-ebd7-4562-8e81-5b30339affda","id":"9bca9d79-b5ff-489c-84f2-f3e1a5ef865a","name":"unhashed.txt","size_bytes":12,"crc32":2251926423,"sha256":null,"object_key":"81109c765ca8ae8c6c0c4cfbcaa042f9","created_at":"2026-11-23T15:17:52.294+00:00"},
{"share_uid":"dd0f9886-ebd7-4562-8e81-5b30339affda","id":"9df26635-2510-42a2-aa07-5e5c3c68833e","name":"folder/long.txt","size_bytes":93000,"crc32":4207023697,"sha256":"\\xd8d04293cda231d93b1325fede16af805bb7fa5a21fc3467187fad996a99d8b1","object_key":"f0cf8e38aebf82e6481c75d64924c52a","created_at":"2026-11-23T15:17:52.294+00:00"},
{"share_uid":"dd0f9886-ebd7-4562-8e81-5b30339affda","id":"d2d73c8c-f1d0-4171-884b-9fd80d96e22f","name":"hello.txt","size_bytes":11,"crc32":3784261737,"sha256":"\\xfbf02b9098650865962c7476d9ad816e3c23a9a961c43b7ae54202dc37facbbb","object_key":"ecf54cc882382473bd0f11df668a8cca","created_at":"2026-11-23T15:17:52.294+00:00"},
{"share_uid":"dd0f9886-ebd7-4562-8e81-5b30339affda","id":"fe577776-409d-42ad-8352-be0774a7ef57","name":"empty.txt","size_bytes":0,"crc32":0,"sha256":"\\xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","object_key":"54eb1987df506650fea109741b30cb58","created_at":"2026-11-23T15:17:52.294+00:00"}
]$rows$);

insert into migrations_admin select * from json_populate_recordset(null::migrations_admin, $rows$[
{"name":"0001-create-config-values","applied_at":"2026-11-25T14:17:51.925089+00:00"}
]$rows$);

insert into migrations_auth select * from json_populate_recordset(null::migrations_auth, $rows$[
{"name":"0001-create-users-and-sessions","applied_at":"2026-11-25T14:17:51.925089+00:00"}
]$rows$);

insert into migrations_file select * from json_populate_recordset(null::migrations_file, $rows$[
{"name":"0001-create-files-and-uploads","applied_at":"2026-11-25T14:17:51.925089+00:00"}
]$rows$);

insert into migrations_limits select * from json_populate_recordset(null::migrations_limits, $rows$[
{"name":"0001-create-rate-limits","applied_at":"2026-11-25T14:17:51.925089+00:00"}
]$rows$);

insert into migrations_platform select * from json_populate_recordset(null::migrations_platform, $rows$[
{"name":"0001-create-outbox","applied_at":"2026-11-25T14:17:51.925089+00:00"}
]$rows$);

insert into migrations_share select * from json_populate_recordset(null::migrations_share, $rows$[
{"name":"0001-create-shares","applied_at":"2026-11-25T14:17:51.925089+00:00"}
]$rows$);

insert into refresh_tokens select * from json_populate_recordset(null::refresh_tokens, $rows$[
{"token_hash":"\\x54951c2975e20f74cbd0ab961b68463bc9f5aba7c00270a9596c14c0333005ea","session_id":"0e6f9f29-9485-4669-b55d-4927c05ad822","created_at":"2026-11-21T10:17:52.294+00:00","replaced_at":null},
{"token_hash":"\\xbe964f11cd668817c122812656ddb0df28034c3ffa876df862bcce540502bc91","session_id":"c09502ba-80a8-40dd-a4bb-1617ac30c4a5","created_at":"2026-11-21T10:17:52.294+00:00","replaced_at":null}
]$rows$);

insert into sessions select * from json_populate_recordset(null::sessions, $rows$[
{"id":"0e6f9f29-9485-4669-b55d-4927c05ad822","user_id":"6f5fd0a6-3c6f-402f-bc7d-9485529f224c","created_at":"2026-11-21T10:17:52.294+00:00","expires_at":"2027-01-06T06:17:52.294+00:00","revoked_at":null,"last_used_at":"2026-11-25T04:17:52.294+00:00","user_agent":"curl","client_address":"192.0.2.1"},
{"id":"c09502ba-80a8-40dd-a4bb-1617ac30c4a5","user_id":"04161246-fded-45c2-8dcf-3014949958b8","created_at":"2026-11-21T10:17:52.294+00:00","expires_at":"2027-01-06T06:17:52.294+00:00","revoked_at":null,"last_used_at":"2026-11-25T04:17:52.294+00:00","user_agent":"curl","client_address":"192.0.2.1"}
]$rows$);

insert into share_recipients select * from json_populate_recordset(null::share_recipients, $rows$[
{"share_uid":"dd0f9886-ebd7-4562-8e81-5b30339affda","email":"eva@floe.test"},
{"share_uid":"dd0f9886-ebd7-4562-8e81-5b30339affda","email":"max@floe.test"}
]$rows$);

insert into share_secrets select * from json_populate_recordset(null::share_secrets, $rows$[
{"name":"visit-key","value":"ei1xMmd4ZDMVAjowzQDwIxas7v9bvtASWrhVhtYFP4U"}
]$rows$);

insert into share_totals select * from json_populate_recordset(null::share_totals, $rows$[
{"share_uid":"2a66e105-c0db-4549-86e2-2dff66cbcfbe","reserved_bytes":4},
{"share_uid":"8223f1a6-8adc-4c13-b297-4b97245c25f3","reserved_bytes":3},
{"share_uid":"a59fcfc5-e6c8-409a-92a9-045500145c84","reserved_bytes":9},
{"share_uid":"b8938e77-698d-4517-bafd-50bceac9108d","reserved_bytes":24005},
{"share_uid":"dd0f9886-ebd7-4562-8e81-5b30339affda","reserved_bytes":93023}
]$rows$);

insert into share_visits select * from json_populate_recordset(null::share_visits, $rows$[
{"share_uid":"dd0f9886-ebd7-4562-8e81-5b30339affda","visitor_hash":"of a visitor","granted_at":"2026-11-25T13:17:52.294+00:00","expires_at":"2026-11-25T15:17:52.294+00:00"}
]$rows$);

insert into shares select * from json_populate_recordset(null::shares, $rows$[
{"uid":"2a66e105-c0db-4549-86e2-2dff66cbcfbe","id":"locked","created_at":"2026-11-23T14:17:52.294+00:00","name":null,"description":null,"expires_at":"2026-11-29T18:17:52.294+00:00","password_hash":"$argon2id$v=19$m=19456,t=2,p=1$oLzXmRm6CJpX7t+h+uPXYQ$HElVAe2gXhgszdL+564V8Ro/2LKq4iN3X8ie0ubXKVo","max_views":100,"views":0,"creator_id":"6f5fd0a6-3c6f-402f-bc7d-9485529f224c","owner_token_hash":null,"state":"completed","completed_at":"2026-11-23T15:17:52.294+00:00","last_activity_at":"2026-11-23T15:17:52.294+00:00","removed_reason":null},
{"uid":"8223f1a6-8adc-4c13-b297-4b97245c25f3","id":"expired","created_at":"2026-11-23T14:17:52.294+00:00","name":null,"description":null,"expires_at":"2026-11-25T14:17:16.294+00:00","password_hash":null,"max_views":null,"views":0,"creator_id":"04161246-fded-45c2-8dcf-3014949958b8","owner_token_hash":null,"state":"completed","completed_at":"2026-11-23T15:17:52.294+00:00","last_activity_at":"2026-11-23T15:17:52.294+00:00","removed_reason":null},
{"uid":"a59fcfc5-e6c8-409a-92a9-045500145c84","id":"anonymous","created_at":"2026-11-23T14:17:52.294+00:00","name":null,"description":null,"expires_at":"2026-11-29T18:17:52.294+00:00","password_hash":null,"max_views":null,"views":0,"creator_id":null,"owner_token_hash":"none","state":"completed","completed_at":"2026-11-23T15:17:52.294+00:00","last_activity_at":"2026-11-23T15:17:52.294+00:00","removed_reason":null},
{"uid":"b8938e77-698d-4517-bafd-50bceac9108d","id":"draft","created_at":"2026-11-23T14:17:52.294+00:00","name":null,"description":null,"expires_at":"2026-11-29T18:17:52.294+00:00","password_hash":null,"max_views":null,"views":0,"creator_id":"04161246-fded-45c2-8dcf-3014949958b8","owner_token_hash":null,"state":"open","completed_at":null,"last_activity_at":"2026-11-25T13:47:52.294+00:00","removed_reason":null},
{"uid":"dd0f9886-ebd7-4562-8e81-5b30339affda","id":"plain","created_at":"2026-11-23T14:17:52.294+00:00","name":"All kinds","description":null,"expires_at":null,"password_hash":null,"max_views":null,"views":3,"creator_id":"04161246-fded-45c2-8dcf-3014949958b8","owner_token_hash":null,"state":"completed","completed_at":"2026-11-23T15:17:52.294+00:00","last_activity_at":"2026-11-23T15:17:52.294+00:00","removed_reason":null}
]$rows$);

insert into uploads select * from json_populate_recordset(null::uploads, $rows$[
{"id":"KKA6VE-Dp5UQ3Mx05XIn91FwfHXewhNk","kind":"file","share_uid":"b8938e77-698d-4517-bafd-50bceac9108d","share_id":"draft","user_id":"04161246-fded-45c2-8dcf-3014949958b8","file_id":"70827164-8296-482d-a7ad-67460c5b8621","name":"half.txt","metadata":null,"concatenation":null,"length_bytes":24000,"chunk_bytes":null,"object_key":"20fe5e59e365838dcbefdd84dd22051f","offset_bytes":12000,"crc32":2716423196,"synced_bytes":12000,"synced_crc32":2716423196,"boot_id":"c20515ae-120c-4199-a790-8fdf670bdf49","discards_unverified":false,"reserved_bytes":24000,"lease_token":0,"lease_holder":null,"created_at":"2026-11-25T13:47:52.294+00:00","expires_at":"2026-11-26T13:17:52.294+00:00","finished_at":null}
]$rows$);

insert into users select * from json_populate_recordset(null::users, $rows$[
{"id":"04161246-fded-45c2-8dcf-3014949958b8","username":"anna","email":"anna@floe.test","is_admin":true,"created_at":"2026-11-04T18:17:52.294+00:00"},
{"id":"6f5fd0a6-3c6f-402f-bc7d-9485529f224c","username":"ben","email":"ben@floe.test","is_admin":false,"created_at":"2026-11-04T18:17:52.294+00:00"}
]$rows$);

do $$
declare
  place record;
begin
  for place in
    select table_name, column_name from information_schema.columns
    where table_schema = current_schema() and data_type = 'timestamp with time zone'
  loop
    execute format('update %I set %2$I = %2$I + (now() - %3$L::timestamptz)',
      place.table_name, place.column_name, '2026-11-25 14:17:52.382745+00');
  end loop;
end $$;
set session_replication_role = origin;
