create extension if not exists pg_trgm;

create sequence outbox_id_seq;

create table archive_segments (share_uid uuid not null, file_id uuid not null, level smallint not null, state text default 'building'::text not null, object_key text, size_bytes bigint default '0'::bigint not null, file_bytes bigint not null, source_bytes bigint default '0'::bigint not null, source_crc32 bigint default '0'::bigint not null, claim_token bigint default '0'::bigint not null, claim_holder integer, ready_at timestamp with time zone, retired_at timestamp with time zone);

create table audit_entries (id uuid not null, at timestamp(3) with time zone not null, action text not null, actor_id uuid, actor_name text, address text not null, user_agent text not null, target_type text, target_id text, target_name text, details jsonb not null);

create table auth_secrets (name text not null, value bytea not null);

create table config_values (key text not null, value text not null, updated_at timestamp with time zone not null);

create table credentials (user_id uuid not null, password_hash text not null);

create table download_counts (share_uid uuid not null, file_id uuid, hour timestamp with time zone not null, count integer not null, last_at timestamp with time zone not null);

create table email_changes (id uuid not null, user_id uuid not null, old_email text not null, new_email text not null, language text, token_hash bytea, created_at timestamp with time zone not null, expires_at timestamp with time zone not null, ended_at timestamp with time zone);

create table figures (day date not null, storage_bytes bigint not null, shares integer not null, users integer not null);

create table files (share_uid uuid not null, id uuid not null, name text not null, size_bytes bigint not null, crc32 bigint not null, sha256 bytea, object_key text not null, created_at timestamp with time zone not null, added_edition integer default 1 not null, removed_edition integer, purge_at timestamp with time zone);

create table identities (provider text not null, issuer text not null, subject text not null, user_id uuid not null, username text not null, created_at timestamp with time zone not null);

create table logo_icons (path text not null, version text not null, bytes bytea not null, updated_at timestamp with time zone not null);

create table migrations_admin (name text not null, applied_at timestamp with time zone default now() not null, works_with_older_builds boolean default false not null);

create table migrations_auth (name text not null, applied_at timestamp with time zone default now() not null, works_with_older_builds boolean default false not null);

create table migrations_file (name text not null, applied_at timestamp with time zone default now() not null, works_with_older_builds boolean default false not null);

create table migrations_limits (name text not null, applied_at timestamp with time zone default now() not null, works_with_older_builds boolean default false not null);

create table migrations_platform (name text not null, applied_at timestamp with time zone default now() not null, works_with_older_builds boolean default false not null);

create table migrations_share (name text not null, applied_at timestamp with time zone default now() not null, works_with_older_builds boolean default false not null);

create table one_time_tokens (token_hash bytea not null, user_id uuid not null, purpose text not null, created_at timestamp with time zone not null, expires_at timestamp with time zone not null, used_at timestamp with time zone, tries integer default 0 not null);

create table outbox (id bigint default nextval('outbox_id_seq'::regclass) not null, name text not null, payload jsonb not null, request_id text, created_at timestamp with time zone default CURRENT_TIMESTAMP not null);

create table password_reset_requests (id uuid not null, email text not null, created_at timestamp with time zone not null, language text);

create table queue_mark (mark bigint not null);

create unlogged table rate_limits (key text not null, points integer not null, expire bigint not null) with (fillfactor=70);

create table recovery_codes (user_id uuid not null, code_hash bytea not null, used_at timestamp with time zone);

create table refresh_tokens (token_hash bytea not null, session_id uuid not null, created_at timestamp with time zone not null, replaced_at timestamp with time zone, parent_hash bytea);

create table reverse_shares (id uuid not null, token text not null, creator_id uuid not null, created_at timestamp with time zone not null, name text, expires_at timestamp with time zone not null, max_size_bytes bigint not null, remaining_uses integer not null, password_hash text, sends_notice boolean not null, asks_sender_name boolean not null, is_public boolean not null, is_simplified boolean not null, language text);

create table sessions (id uuid not null, user_id uuid not null, created_at timestamp with time zone not null, expires_at timestamp with time zone not null, revoked_at timestamp with time zone, last_used_at timestamp with time zone not null, user_agent text not null, client_address text not null);

create table setup (is_finished boolean not null, finished_at timestamp with time zone not null);

create table share_announcements (share_uid uuid not null, file_count integer not null, size_bytes bigint not null, files jsonb not null);

create table share_mails (id uuid not null, share_uid uuid not null, kind text not null, occasion text not null, created_at timestamp with time zone not null, claimed_by integer, handed_over_at timestamp with time zone, sent_at timestamp with time zone, handover_began_at timestamp with time zone);

create table share_recipients (share_uid uuid not null, email text not null);

create table share_secrets (name text not null, value text not null);

create table share_totals (share_uid uuid not null, reserved_bytes bigint default '0'::bigint not null, removal_requested_at timestamp with time zone, charged_to uuid);

create table share_visits (share_uid uuid not null, visitor_hash text not null, granted_at timestamp with time zone not null, expires_at timestamp with time zone not null);

create table shares (uid uuid not null, id text not null, created_at timestamp with time zone not null, name text, description text, expires_at timestamp with time zone, password_hash text, max_views integer, views integer default 0 not null, creator_id uuid, owner_token_hash text, state text not null, completed_at timestamp with time zone, last_activity_at timestamp with time zone not null, removed_reason text, edition integer default 0 not null, reverse_share_id uuid, receiver_id uuid, is_private boolean default false not null, max_size_bytes bigint, sender_name text, notify_on_download boolean default false not null, first_downloaded_at timestamp with time zone, download_notice_at timestamp with time zone, language text, receiver_language text, creator_address_hash text, archive_level smallint);

create table storage_usage (owner_id uuid not null, used_bytes numeric(40,0) not null, limit_bytes bigint default '0'::bigint not null);

create table thumbnails (share_uid uuid not null, file_id uuid not null, state text default 'wanted'::text not null, "position" bigint not null, object_key text, size_bytes bigint, crc32 bigint, width integer, height integer, attempts integer default 0 not null, claim_holder integer, made_at timestamp with time zone);

create table totp_secrets (user_id uuid not null, sealed_secret bytea not null, verified_at timestamp with time zone, last_time_step bigint);

create table transfer_holds (share_uid uuid not null, instance_key integer not null);

create table uploads (id text not null, kind text not null, share_uid uuid, share_id text, user_id uuid, file_id uuid not null, name text not null, metadata text, concatenation text, length_bytes bigint, chunk_bytes bigint, object_key text not null, offset_bytes bigint default '0'::bigint not null, crc32 bigint default '0'::bigint not null, synced_bytes bigint default '0'::bigint not null, synced_crc32 bigint default '0'::bigint not null, boot_id text not null, discards_unverified boolean default false not null, reserved_bytes bigint default '0'::bigint not null, lease_token bigint default '0'::bigint not null, lease_holder integer, created_at timestamp with time zone not null, expires_at timestamp with time zone not null, finished_at timestamp with time zone, charged_to uuid, received_bytes bigint default '0'::bigint not null);

create table users (id uuid not null, username text not null, email text not null, is_admin boolean not null, created_at timestamp with time zone not null, storage_limit bigint, shows_name boolean default true not null);

create table view_counts (share_uid uuid not null, hour timestamp with time zone not null, count integer not null);

alter sequence public.outbox_id_seq owned by outbox.id;

alter table archive_segments add constraint archive_segments_object_key_unique UNIQUE (object_key);

alter table archive_segments add constraint archive_segments_pkey PRIMARY KEY (share_uid, file_id, level);

alter table audit_entries add constraint audit_entries_pkey PRIMARY KEY (id);

alter table auth_secrets add constraint auth_secrets_pkey PRIMARY KEY (name);

alter table config_values add constraint config_values_pkey PRIMARY KEY (key);

alter table credentials add constraint credentials_pkey PRIMARY KEY (user_id);

alter table email_changes add constraint email_changes_pkey PRIMARY KEY (id);

alter table email_changes add constraint email_changes_token_hash_unique UNIQUE (token_hash);

alter table figures add constraint figures_pkey PRIMARY KEY (day);

alter table files add constraint files_object_key_unique UNIQUE (object_key);

alter table files add constraint files_pkey PRIMARY KEY (share_uid, id);

alter table identities add constraint identities_pkey PRIMARY KEY (provider, issuer, subject);

alter table identities add constraint identities_user_id_provider_unique UNIQUE (user_id, provider);

alter table logo_icons add constraint logo_icons_pkey PRIMARY KEY (path);

alter table migrations_admin add constraint migrations_admin_pkey PRIMARY KEY (name);

alter table migrations_auth add constraint migrations_auth_pkey PRIMARY KEY (name);

alter table migrations_file add constraint migrations_file_pkey PRIMARY KEY (name);

alter table migrations_limits add constraint migrations_limits_pkey PRIMARY KEY (name);

alter table migrations_platform add constraint migrations_platform_pkey PRIMARY KEY (name);

alter table migrations_share add constraint migrations_share_pkey PRIMARY KEY (name);

alter table one_time_tokens add constraint one_time_tokens_pkey PRIMARY KEY (token_hash);

alter table outbox add constraint outbox_pkey PRIMARY KEY (id);

alter table password_reset_requests add constraint password_reset_requests_pkey PRIMARY KEY (id);

alter table rate_limits add constraint rate_limits_pkey PRIMARY KEY (key);

alter table recovery_codes add constraint recovery_codes_pkey PRIMARY KEY (user_id, code_hash);

alter table refresh_tokens add constraint refresh_tokens_pkey PRIMARY KEY (token_hash);

alter table reverse_shares add constraint reverse_shares_pkey PRIMARY KEY (id);

alter table reverse_shares add constraint reverse_shares_token_unique UNIQUE (token);

alter table reverse_shares add constraint reverse_shares_uses_left CHECK ((remaining_uses >= 0));

alter table sessions add constraint sessions_pkey PRIMARY KEY (id);

alter table setup add constraint setup_is_finished_check CHECK ((is_finished = true));

alter table setup add constraint setup_pkey PRIMARY KEY (is_finished);

alter table share_announcements add constraint share_announcements_pkey PRIMARY KEY (share_uid);

alter table share_mails add constraint share_mails_kind_known CHECK ((kind = ANY (ARRAY['recipient'::text, 'received'::text, 'downloaded'::text, 'reminder'::text])));

alter table share_mails add constraint share_mails_pkey PRIMARY KEY (id);

alter table share_mails add constraint share_mails_share_uid_kind_occasion_unique UNIQUE (share_uid, kind, occasion);

alter table share_recipients add constraint share_recipients_pkey PRIMARY KEY (share_uid, email);

alter table share_secrets add constraint share_secrets_pkey PRIMARY KEY (name);

alter table share_totals add constraint share_totals_pkey PRIMARY KEY (share_uid);

alter table share_visits add constraint share_visits_pkey PRIMARY KEY (share_uid, visitor_hash);

alter table shares add constraint shares_id_unique UNIQUE (id);

alter table shares add constraint shares_pkey PRIMARY KEY (uid);

alter table shares add constraint shares_state_known CHECK ((state = ANY (ARRAY['open'::text, 'uploading'::text, 'completed'::text, 'reopened'::text])));

alter table storage_usage add constraint storage_usage_instance_limit CHECK (((owner_id <> '00000000-0000-0000-0000-000000000000'::uuid) OR (limit_bytes = 0) OR (used_bytes <= (limit_bytes)::numeric)));

alter table storage_usage add constraint storage_usage_pkey PRIMARY KEY (owner_id);

alter table storage_usage add constraint storage_usage_user_limit CHECK (((owner_id = '00000000-0000-0000-0000-000000000000'::uuid) OR (limit_bytes = 0) OR (used_bytes <= (limit_bytes)::numeric)));

alter table thumbnails add constraint thumbnails_object_key_unique UNIQUE (object_key);

alter table thumbnails add constraint thumbnails_pkey PRIMARY KEY (share_uid, file_id);

alter table totp_secrets add constraint totp_secrets_pkey PRIMARY KEY (user_id);

alter table transfer_holds add constraint transfer_holds_pkey PRIMARY KEY (share_uid, instance_key);

alter table uploads add constraint uploads_object_key_unique UNIQUE (object_key);

alter table uploads add constraint uploads_pkey PRIMARY KEY (id);

alter table uploads add constraint uploads_share_uid_file_id_unique UNIQUE (share_uid, file_id);

alter table users add constraint users_pkey PRIMARY KEY (id);

alter table view_counts add constraint view_counts_pkey PRIMARY KEY (share_uid, hour);

alter table archive_segments add constraint archive_segments_share_uid_file_id_foreign FOREIGN KEY (share_uid, file_id) REFERENCES files(share_uid, id) ON DELETE CASCADE;

alter table credentials add constraint credentials_user_id_foreign FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table download_counts add constraint download_counts_share_uid_file_id_foreign FOREIGN KEY (share_uid, file_id) REFERENCES files(share_uid, id) ON DELETE CASCADE;

alter table download_counts add constraint download_counts_share_uid_foreign FOREIGN KEY (share_uid) REFERENCES share_totals(share_uid) ON DELETE CASCADE;

alter table email_changes add constraint email_changes_user_id_foreign FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table identities add constraint identities_user_id_foreign FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table one_time_tokens add constraint one_time_tokens_user_id_foreign FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table recovery_codes add constraint recovery_codes_user_id_foreign FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table refresh_tokens add constraint refresh_tokens_session_id_foreign FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE;

alter table sessions add constraint sessions_user_id_foreign FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table share_announcements add constraint share_announcements_share_uid_foreign FOREIGN KEY (share_uid) REFERENCES shares(uid) ON DELETE CASCADE;

alter table share_mails add constraint share_mails_share_uid_foreign FOREIGN KEY (share_uid) REFERENCES shares(uid) ON DELETE CASCADE;

alter table share_recipients add constraint share_recipients_share_uid_foreign FOREIGN KEY (share_uid) REFERENCES shares(uid) ON DELETE CASCADE;

alter table share_visits add constraint share_visits_share_uid_foreign FOREIGN KEY (share_uid) REFERENCES shares(uid) ON DELETE CASCADE;

alter table shares add constraint shares_reverse_share_id_foreign FOREIGN KEY (reverse_share_id) REFERENCES reverse_shares(id) ON DELETE SET NULL;

alter table thumbnails add constraint thumbnails_share_uid_file_id_foreign FOREIGN KEY (share_uid, file_id) REFERENCES files(share_uid, id) ON DELETE CASCADE;

alter table totp_secrets add constraint totp_secrets_user_id_foreign FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

alter table transfer_holds add constraint transfer_holds_share_uid_foreign FOREIGN KEY (share_uid) REFERENCES share_totals(share_uid) ON DELETE CASCADE;

alter table view_counts add constraint view_counts_share_uid_foreign FOREIGN KEY (share_uid) REFERENCES shares(uid) ON DELETE CASCADE;

CREATE INDEX archive_segments_retired_at_index ON public.archive_segments USING btree (retired_at);

CREATE INDEX archive_segments_unfinished ON public.archive_segments USING btree (((file_bytes - source_bytes)), share_uid, file_id, level) WHERE ((state = 'building'::text) AND (retired_at IS NULL));

CREATE INDEX audit_entries_action_at_id_index ON public.audit_entries USING btree (action, at, id);

CREATE INDEX audit_entries_actor_search ON public.audit_entries USING gin (actor_name gin_trgm_ops);

CREATE INDEX audit_entries_at_id_index ON public.audit_entries USING btree (at, id);

CREATE INDEX audit_entries_target_id_search ON public.audit_entries USING gin (target_id gin_trgm_ops);

CREATE INDEX audit_entries_target_name_search ON public.audit_entries USING gin (target_name gin_trgm_ops);

CREATE UNIQUE INDEX download_counts_of_archives ON public.download_counts USING btree (share_uid, hour) WHERE (file_id IS NULL);

CREATE UNIQUE INDEX download_counts_of_files ON public.download_counts USING btree (share_uid, file_id, hour) WHERE (file_id IS NOT NULL);

CREATE INDEX email_changes_expires_at_index ON public.email_changes USING btree (expires_at);

CREATE UNIQUE INDEX email_changes_pending ON public.email_changes USING btree (user_id) WHERE (ended_at IS NULL);

CREATE INDEX email_changes_user_id_index ON public.email_changes USING btree (user_id);

CREATE INDEX files_removed ON public.files USING btree (share_uid, id) WHERE (removed_edition IS NOT NULL);

CREATE INDEX files_unhashed ON public.files USING btree (share_uid, id) WHERE (sha256 IS NULL);

CREATE INDEX one_time_tokens_expires_at_index ON public.one_time_tokens USING btree (expires_at);

CREATE INDEX one_time_tokens_user_id_index ON public.one_time_tokens USING btree (user_id);

CREATE INDEX password_reset_requests_created_at_index ON public.password_reset_requests USING btree (created_at);

CREATE INDEX rate_limits_expire ON public.rate_limits USING btree (expire);

CREATE INDEX refresh_tokens_session_id_index ON public.refresh_tokens USING btree (session_id);

CREATE INDEX reverse_shares_creator ON public.reverse_shares USING btree (creator_id);

CREATE INDEX reverse_shares_expiry ON public.reverse_shares USING btree (expires_at);

CREATE INDEX sessions_user_id_index ON public.sessions USING btree (user_id);

CREATE INDEX share_visits_expiry ON public.share_visits USING btree (expires_at);

CREATE INDEX shares_by_creation ON public.shares USING btree (created_at, uid);

CREATE INDEX shares_by_expiry ON public.shares USING btree (expires_at, uid);

CREATE INDEX shares_by_views ON public.shares USING btree (views, uid);

CREATE INDEX shares_creator ON public.shares USING btree (creator_id);

CREATE INDEX shares_creator_addresses ON public.shares USING btree (created_at) WHERE (creator_address_hash IS NOT NULL);

CREATE INDEX shares_idle ON public.shares USING btree (last_activity_at) WHERE (state = 'open'::text);

CREATE INDEX shares_open ON public.shares USING btree (creator_id) WHERE (state = 'open'::text);

CREATE INDEX shares_receiver ON public.shares USING btree (receiver_id) WHERE (receiver_id IS NOT NULL);

CREATE INDEX shares_reverse_share ON public.shares USING btree (reverse_share_id) WHERE (reverse_share_id IS NOT NULL);

CREATE INDEX shares_search ON public.shares USING gin (id gin_trgm_ops, name gin_trgm_ops);

CREATE INDEX shares_uploading ON public.shares USING btree (last_activity_at) WHERE (state = 'uploading'::text);

CREATE INDEX thumbnails_wanted ON public.thumbnails USING btree ("position", share_uid, file_id) WHERE (state = 'wanted'::text);

CREATE INDEX uploads_expires_at_index ON public.uploads USING btree (expires_at);

CREATE INDEX uploads_unfinished_by_user ON public.uploads USING btree (user_id) WHERE (finished_at IS NULL);

CREATE INDEX users_created_at ON public.users USING btree (created_at, id);

CREATE UNIQUE INDEX users_email_unique ON public.users USING btree (lower(email));

CREATE INDEX users_search ON public.users USING gin (username gin_trgm_ops, email gin_trgm_ops);

CREATE UNIQUE INDEX users_username_unique ON public.users USING btree (lower(username));

set session_replication_role = replica;

insert into audit_entries select * from json_populate_recordset(null::audit_entries, $rows$[
{"id":"059407bc-2274-42eb-85c1-9d42a62a1268","at":"2026-11-25T14:16:52.635+00:00","action":"setting.changed","actor_id":"04161246-fded-45c2-8dcf-3014949958b8","actor_name":"anna","address":"127.215.172.227","user_agent":"","target_type":"setting","target_id":"smtp.username","target_name":"smtp.username","details":{}},
{"id":"3c2eeecf-07f7-45e6-9f6e-6ddbae7c9649","at":"2026-11-25T14:16:52.635+00:00","action":"setting.changed","actor_id":"04161246-fded-45c2-8dcf-3014949958b8","actor_name":"anna","address":"127.215.172.227","user_agent":"","target_type":"setting","target_id":"smtp.password","target_name":"smtp.password","details":{}},
{"id":"4705f494-f0f5-4d85-b0ab-d7802092394b","at":"2026-11-25T14:16:52.635+00:00","action":"setting.changed","actor_id":"04161246-fded-45c2-8dcf-3014949958b8","actor_name":"anna","address":"127.215.172.227","user_agent":"","target_type":"setting","target_id":"email.enableShareEmailRecipients","target_name":"email.enableShareEmailRecipients","details":{}},
{"id":"519d83b0-9ed2-4d01-98d6-7df418899020","at":"2026-11-25T14:16:52.4+00:00","action":"user.registered","actor_id":"04161246-fded-45c2-8dcf-3014949958b8","actor_name":"anna","address":"127.215.172.227","user_agent":"","target_type":"user","target_id":"04161246-fded-45c2-8dcf-3014949958b8","target_name":"anna","details":{"by":"password"}},
{"id":"a52f20c0-843d-4b6b-99fc-d0c9352a0d7b","at":"2026-11-25T14:16:52.599+00:00","action":"user.registered","actor_id":"6f5fd0a6-3c6f-402f-bc7d-9485529f224c","actor_name":"ben","address":"127.127.44.156","user_agent":"","target_type":"user","target_id":"6f5fd0a6-3c6f-402f-bc7d-9485529f224c","target_name":"ben","details":{"by":"password"}},
{"id":"a8756252-1520-42e5-9db1-16cf167c77c4","at":"2026-11-25T14:16:52.635+00:00","action":"setting.changed","actor_id":"04161246-fded-45c2-8dcf-3014949958b8","actor_name":"anna","address":"127.215.172.227","user_agent":"","target_type":"setting","target_id":"smtp.port","target_name":"smtp.port","details":{}},
{"id":"ae58ab58-a383-45ec-9c55-5fa009ff46aa","at":"2026-11-25T14:16:52.635+00:00","action":"setting.changed","actor_id":"04161246-fded-45c2-8dcf-3014949958b8","actor_name":"anna","address":"127.215.172.227","user_agent":"","target_type":"setting","target_id":"smtp.enabled","target_name":"smtp.enabled","details":{}},
{"id":"c9e43923-0c9f-4c02-9095-5b8aeab85530","at":"2026-11-25T14:16:52.635+00:00","action":"setting.changed","actor_id":"04161246-fded-45c2-8dcf-3014949958b8","actor_name":"anna","address":"127.215.172.227","user_agent":"","target_type":"setting","target_id":"smtp.host","target_name":"smtp.host","details":{}},
{"id":"d2044d2d-76bb-4f09-bc00-4755ef346599","at":"2026-11-25T14:16:52.564+00:00","action":"totp.enabled","actor_id":"04161246-fded-45c2-8dcf-3014949958b8","actor_name":"anna","address":"127.215.172.227","user_agent":"","target_type":"user","target_id":"04161246-fded-45c2-8dcf-3014949958b8","target_name":"anna","details":{}},
{"id":"d8bf460f-176b-4aeb-b49c-57936ac7975f","at":"2026-11-25T14:16:52.635+00:00","action":"setting.changed","actor_id":"04161246-fded-45c2-8dcf-3014949958b8","actor_name":"anna","address":"127.215.172.227","user_agent":"","target_type":"setting","target_id":"smtp.email","target_name":"smtp.email","details":{}},
{"id":"f4fcc080-7b20-4f8e-b200-6cad7390e8fa","at":"2026-11-25T14:16:52.635+00:00","action":"setting.changed","actor_id":"04161246-fded-45c2-8dcf-3014949958b8","actor_name":"anna","address":"127.215.172.227","user_agent":"","target_type":"setting","target_id":"general.appName","target_name":"general.appName","details":{}}
]$rows$);

insert into auth_secrets select * from json_populate_recordset(null::auth_secrets, $rows$[
{"name":"access-token-key","value":"\\x3d1ec9664ea174b3f321cb463e460076eca365b0acbd11f7fe3c084ed2e2739e"}
]$rows$);

insert into config_values select * from json_populate_recordset(null::config_values, $rows$[
{"key":"email.enableShareEmailRecipients","value":"true","updated_at":"2026-11-25T14:16:52.623+00:00"},
{"key":"general.appName","value":"Floe of before","updated_at":"2026-11-25T14:16:52.623+00:00"},
{"key":"smtp.email","value":"floe@floe.test","updated_at":"2026-11-25T14:16:52.623+00:00"},
{"key":"smtp.enabled","value":"true","updated_at":"2026-11-25T14:16:52.623+00:00"},
{"key":"smtp.host","value":"127.0.0.1","updated_at":"2026-11-25T14:16:52.623+00:00"},
{"key":"smtp.password","value":"AZHyzVjLEL4mF9wc79nQVuf3yNOekyuxY0D+OxQs54kwd9M3zgrj0+A0eZg=","updated_at":"2026-11-25T14:16:52.623+00:00"},
{"key":"smtp.port","value":"9","updated_at":"2026-11-25T14:16:52.623+00:00"},
{"key":"smtp.username","value":"floe","updated_at":"2026-11-25T14:16:52.623+00:00"}
]$rows$);

insert into credentials select * from json_populate_recordset(null::credentials, $rows$[
{"user_id":"04161246-fded-45c2-8dcf-3014949958b8","password_hash":"$argon2id$v=19$m=19456,t=2,p=1$xCLPXXdqQ8Dv5p93kBuApw$m94SYSbjP4RqJqARYOIicVaxPCx5j8uEOjuLVuPybEg"},
{"user_id":"6f5fd0a6-3c6f-402f-bc7d-9485529f224c","password_hash":"$argon2id$v=19$m=19456,t=2,p=1$oIIyRxiun9qpVxLibjEr+g$840mtS5g23B50HF2uWWyDUji3ME62eHtLGjSiS1Bz/8"}
]$rows$);

insert into download_counts select * from json_populate_recordset(null::download_counts, $rows$[
{"share_uid":"3cb08706-e127-43a8-9420-093508194762","file_id":"a0de8152-e455-4d64-a9aa-1d212aabcf11","hour":"2026-11-25T14:00:00+00:00","count":1,"last_at":"2026-11-25T14:16:54.244+00:00"},
{"share_uid":"5aa4db94-0c0c-49b4-9742-eef871788f54","file_id":"a6651dcd-f58f-44d0-a996-577b9f7ab09a","hour":"2026-11-25T14:00:00+00:00","count":1,"last_at":"2026-11-25T14:16:54.127+00:00"},
{"share_uid":"5aa4db94-0c0c-49b4-9742-eef871788f54","file_id":"d8b40592-6529-4a65-8b81-6723e6ac2607","hour":"2026-11-25T14:00:00+00:00","count":1,"last_at":"2026-11-25T14:16:54.122+00:00"},
{"share_uid":"5aa4db94-0c0c-49b4-9742-eef871788f54","file_id":"f7f79b2e-9fc5-4ee5-9d09-adeb2dd0b061","hour":"2026-11-25T14:00:00+00:00","count":1,"last_at":"2026-11-25T14:16:54.097+00:00"},
{"share_uid":"7284abc1-1a18-4292-a148-fb534a8a9398","file_id":"2189fd0f-4b1a-48fe-be46-35566249f8ef","hour":"2026-11-25T14:00:00+00:00","count":1,"last_at":"2026-11-25T14:16:54.312+00:00"},
{"share_uid":"b1b76eb5-7720-4979-97fc-b3289c511591","file_id":"d6f7a95e-6308-4ef5-9261-69a03a47a86b","hour":"2026-11-25T14:00:00+00:00","count":1,"last_at":"2026-11-25T14:16:54.383+00:00"},
{"share_uid":"b5a3048e-93c8-42d1-9398-e785ffa7f3ed","file_id":"be05b8a6-c23d-4643-9ffe-4a089e375554","hour":"2026-11-25T14:00:00+00:00","count":1,"last_at":"2026-11-25T14:16:54.348+00:00"},
{"share_uid":"db41d2a5-1c20-494d-943c-c59e320e08d0","file_id":"8fc26233-6564-43a8-9339-54afa83c5146","hour":"2026-11-25T14:00:00+00:00","count":1,"last_at":"2026-11-25T14:16:54.419+00:00"}
]$rows$);

insert into figures select * from json_populate_recordset(null::figures, $rows$[
{"day":"2026-11-25","storage_bytes":0,"shares":0,"users":0}
]$rows$);

insert into files select * from json_populate_recordset(null::files, $rows$[
{"share_uid":"3cb08706-e127-43a8-9420-093508194762","id":"a0de8152-e455-4d64-a9aa-1d212aabcf11","name":"kept.txt","size_bytes":4,"crc32":4213729798,"sha256":"\\x79f076abdd19a752db7267bfff2f9022161d120dea919fdaca2ffdfc24ca8c96","object_key":"3774c44fb8c7fbfd5748a44cc1a54321","created_at":"2026-11-25T14:16:53.15+00:00","added_edition":1,"removed_edition":null,"purge_at":null},
{"share_uid":"5aa4db94-0c0c-49b4-9742-eef871788f54","id":"a6651dcd-f58f-44d0-a996-577b9f7ab09a","name":"hello.txt","size_bytes":11,"crc32":3784261737,"sha256":"\\xfbf02b9098650865962c7476d9ad816e3c23a9a961c43b7ae54202dc37facbbb","object_key":"b74f5d640e9db8a9cee558ecc6efb9f1","created_at":"2026-11-25T14:16:52.925+00:00","added_edition":1,"removed_edition":null,"purge_at":null},
{"share_uid":"5aa4db94-0c0c-49b4-9742-eef871788f54","id":"d8b40592-6529-4a65-8b81-6723e6ac2607","name":"empty.txt","size_bytes":0,"crc32":0,"sha256":"\\xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","object_key":"e0c78b59204645f5cecea82b4676934f","created_at":"2026-11-25T14:16:52.873+00:00","added_edition":1,"removed_edition":null,"purge_at":null},
{"share_uid":"5aa4db94-0c0c-49b4-9742-eef871788f54","id":"f7f79b2e-9fc5-4ee5-9d09-adeb2dd0b061","name":"folder/long.txt","size_bytes":310000,"crc32":3378616714,"sha256":"\\x4cb7c50df306fae9f80603a3727240e526939845496580eef993bf0f7e3fdc69","object_key":"e50b10dc6d2fa15e93c079881d27b124","created_at":"2026-11-25T14:16:52.968+00:00","added_edition":1,"removed_edition":null,"purge_at":null},
{"share_uid":"6f86b024-b5c9-42ca-85be-de60ab360980","id":"19521287-5284-424b-9749-5c75fa631e3d","name":"first.txt","size_bytes":5,"crc32":2456940119,"sha256":"\\xa7937b64b8caa58f03721bb6bacf5c78cb235febe0e70b1b84cd99541461a08e","object_key":"b59ef50e30e7202de9ebb148a39bcbb5","created_at":"2026-11-25T14:16:53.398+00:00","added_edition":1,"removed_edition":null,"purge_at":null},
{"share_uid":"7284abc1-1a18-4292-a148-fb534a8a9398","id":"2189fd0f-4b1a-48fe-be46-35566249f8ef","name":"picture.png","size_bytes":105,"crc32":3698342166,"sha256":"\\xe939579467aa338cfc396685398eb9118a957dbbaf36b04b7f185689a7221d33","object_key":"510e29b2bc654a633e4f93af70b341e4","created_at":"2026-11-25T14:16:53.268+00:00","added_edition":1,"removed_edition":null,"purge_at":null},
{"share_uid":"b1b76eb5-7720-4979-97fc-b3289c511591","id":"d6f7a95e-6308-4ef5-9261-69a03a47a86b","name":"received.txt","size_bytes":8,"crc32":3379313095,"sha256":"\\x318c5ad51e9b36ff5924ae323dd59031245413a3e0f2aa3e03cc42902e9e7acc","object_key":"80c347ae0474f249666712bc97afe5e7","created_at":"2026-11-25T14:16:53.806+00:00","added_edition":1,"removed_edition":null,"purge_at":null},
{"share_uid":"b5a3048e-93c8-42d1-9398-e785ffa7f3ed","id":"be05b8a6-c23d-4643-9ffe-4a089e375554","name":"for you.txt","size_bytes":7,"crc32":916629179,"sha256":"\\x7abe8cd76a85fe949b676e1f0f9935a7c56163e0c1c7552e8ac770c0926d6c41","object_key":"6c438137209c6ef2fff781946d08fd8e","created_at":"2026-11-25T14:16:53.357+00:00","added_edition":1,"removed_edition":null,"purge_at":null},
{"share_uid":"cc22e9a8-1ee3-4d17-8b79-35941ec8fd95","id":"24185d2e-0847-4cd2-ad40-340b48aa41c7","name":"old.txt","size_bytes":3,"crc32":1063113957,"sha256":"\\xcba06b5736faf67e54b07b561eae94395e774c517a7d910a54369e1263ccfbd4","object_key":"c131ea326fa73899710a861a04ae8d93","created_at":"2026-11-25T14:16:53.316+00:00","added_edition":1,"removed_edition":null,"purge_at":null},
{"share_uid":"db41d2a5-1c20-494d-943c-c59e320e08d0","id":"8fc26233-6564-43a8-9339-54afa83c5146","name":"first.txt","size_bytes":5,"crc32":2456940119,"sha256":"\\xa7937b64b8caa58f03721bb6bacf5c78cb235febe0e70b1b84cd99541461a08e","object_key":"3a96eb3777c9092336ffc6000cd4a57c","created_at":"2026-11-25T14:16:53.431+00:00","added_edition":1,"removed_edition":null,"purge_at":null}
]$rows$);

insert into migrations_admin select * from json_populate_recordset(null::migrations_admin, $rows$[
{"name":"0001-create-config-values","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false},
{"name":"0002-create-audit-entries","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false},
{"name":"0003-create-figures","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false},
{"name":"0004-create-logo-icons","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false},
{"name":"0005-create-setup","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false},
{"name":"0006-keep-opportunistic-tls","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false}
]$rows$);

insert into migrations_auth select * from json_populate_recordset(null::migrations_auth, $rows$[
{"name":"0001-create-users-and-sessions","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false},
{"name":"0002-create-second-factors-and-identities","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false},
{"name":"0003-index-lists-of-users","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false},
{"name":"0004-add-storage-limits","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false},
{"name":"0005-note-languages","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false},
{"name":"0006-create-email-changes","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false},
{"name":"0007-show-names","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false}
]$rows$);

insert into migrations_file select * from json_populate_recordset(null::migrations_file, $rows$[
{"name":"0001-create-files-and-uploads","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false},
{"name":"0002-add-editions","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false},
{"name":"0003-create-archive-segments","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false},
{"name":"0004-create-download-counts","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false},
{"name":"0005-create-thumbnails","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false},
{"name":"0006-create-transfer-holds","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false},
{"name":"0007-create-storage-usage","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false},
{"name":"0008-order-segments-of-all-levels","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false},
{"name":"0009-note-received-bytes","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false}
]$rows$);

insert into migrations_limits select * from json_populate_recordset(null::migrations_limits, $rows$[
{"name":"0001-create-rate-limits","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false}
]$rows$);

insert into migrations_platform select * from json_populate_recordset(null::migrations_platform, $rows$[
{"name":"0001-create-outbox","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false},
{"name":"0002-create-queue-mark","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false}
]$rows$);

insert into migrations_share select * from json_populate_recordset(null::migrations_share, $rows$[
{"name":"0001-create-shares","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false},
{"name":"0002-add-editions","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false},
{"name":"0003-create-reverse-shares","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false},
{"name":"0004-create-view-counts","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false},
{"name":"0006-index-lists-of-shares","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false},
{"name":"0007-note-languages","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false},
{"name":"0008-note-beginnings-of-handovers","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false},
{"name":"0009-index-open-shares","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false},
{"name":"0010-note-creator-addresses","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false},
{"name":"0011-note-archive-levels","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false},
{"name":"0012-open-while-files-arrive","applied_at":"2026-11-25T14:16:51.186103+00:00","works_with_older_builds":false}
]$rows$);

insert into queue_mark select * from json_populate_recordset(null::queue_mark, $rows$[
{"mark":0}
]$rows$);

insert into rate_limits select * from json_populate_recordset(null::rate_limits, $rows$[
{"key":"sign-up:HHdJFJzDL-YWTZHVGuCzo1wCuvEDddNLNpCg4FCODUU","points":1,"expire":1795616512573},
{"key":"sign-up:bK5HwZbHDQcOeW5qpjthTP_36KY_eXvMaJR5Rujb66A","points":1,"expire":1795616512094}
]$rows$);

insert into refresh_tokens select * from json_populate_recordset(null::refresh_tokens, $rows$[
{"token_hash":"\\x4368fc3cf56735528c9fc0561282d005ceb0e3f6dd180d7215d7bc286299a319","session_id":"fc551ee6-3026-479a-b491-b3201937ea0f","created_at":"2026-11-25T14:16:52.589+00:00","replaced_at":null,"parent_hash":null},
{"token_hash":"\\x82e6da98fa4fb1e9e53f0154f1f7b1461bff46d01e9fb7ab0dc80d161ee7a688","session_id":"74a9a473-9be3-4945-8551-791599c38671","created_at":"2026-11-25T14:16:52.364+00:00","replaced_at":null,"parent_hash":null}
]$rows$);

insert into reverse_shares select * from json_populate_recordset(null::reverse_shares, $rows$[
{"id":"34a7d52f-f380-46e1-94c1-0ea3aae2d264","token":"rLz5Er2uJe_hcMjJVBEgWw","creator_id":"6f5fd0a6-3c6f-402f-bc7d-9485529f224c","created_at":"2026-11-25T14:16:53.485+00:00","name":null,"expires_at":"2026-11-26T14:16:53.485+00:00","max_size_bytes":50000000,"remaining_uses":2,"password_hash":"$argon2id$v=19$m=19456,t=2,p=1$lVji3sgXB6Ig6QS7Y1tPBA$1cS2NuhgnbRTFzo5+qhWGfE2SDOhGUgotI4UWBWDjLc","sends_notice":false,"asks_sender_name":false,"is_public":true,"is_simplified":false,"language":"en"},
{"id":"b6c81f91-ab7e-45cf-b10e-e0bb4e862b0c","token":"0yRaAvIxverKzFOQEWl0pA","creator_id":"6f5fd0a6-3c6f-402f-bc7d-9485529f224c","created_at":"2026-11-25T14:16:53.475+00:00","name":"Send me","expires_at":"2026-11-26T14:16:53.475+00:00","max_size_bytes":50000000,"remaining_uses":4,"password_hash":null,"sends_notice":false,"asks_sender_name":false,"is_public":true,"is_simplified":false,"language":"en"}
]$rows$);

insert into sessions select * from json_populate_recordset(null::sessions, $rows$[
{"id":"74a9a473-9be3-4945-8551-791599c38671","user_id":"04161246-fded-45c2-8dcf-3014949958b8","created_at":"2026-11-25T14:16:52.364+00:00","expires_at":"2027-02-23T14:16:52.364+00:00","revoked_at":null,"last_used_at":"2026-11-25T14:16:52.364+00:00","user_agent":"","client_address":"127.215.172.227"},
{"id":"fc551ee6-3026-479a-b491-b3201937ea0f","user_id":"6f5fd0a6-3c6f-402f-bc7d-9485529f224c","created_at":"2026-11-25T14:16:52.589+00:00","expires_at":"2027-02-23T14:16:52.589+00:00","revoked_at":null,"last_used_at":"2026-11-25T14:16:52.589+00:00","user_agent":"","client_address":"127.127.44.156"}
]$rows$);

insert into share_announcements select * from json_populate_recordset(null::share_announcements, $rows$[
{"share_uid":"db41d2a5-1c20-494d-943c-c59e320e08d0","file_count":2,"size_bytes":10,"files":[{"name":"second.txt","size":5}]}
]$rows$);

insert into share_mails select * from json_populate_recordset(null::share_mails, $rows$[
{"id":"c6a44ca1-3fd0-48d7-8773-b555c8308a10","share_uid":"b5a3048e-93c8-42d1-9398-e785ffa7f3ed","kind":"recipient","occasion":"eva@floe.test","created_at":"2026-11-25T14:16:53.365+00:00","claimed_by":null,"handed_over_at":null,"sent_at":null,"handover_began_at":null},
{"id":"ece6b4ea-79eb-4bc8-8e64-b9a38a402fa4","share_uid":"b5a3048e-93c8-42d1-9398-e785ffa7f3ed","kind":"recipient","occasion":"max@floe.test","created_at":"2026-11-25T14:16:53.365+00:00","claimed_by":null,"handed_over_at":null,"sent_at":null,"handover_began_at":null}
]$rows$);

insert into share_recipients select * from json_populate_recordset(null::share_recipients, $rows$[
{"share_uid":"b5a3048e-93c8-42d1-9398-e785ffa7f3ed","email":"eva@floe.test"},
{"share_uid":"b5a3048e-93c8-42d1-9398-e785ffa7f3ed","email":"max@floe.test"}
]$rows$);

insert into share_secrets select * from json_populate_recordset(null::share_secrets, $rows$[
{"name":"visit-key","value":"_56V-bHOHWtgsnrolYUqnFsqphWCcA5bZp7iEc9ZJCg"}
]$rows$);

insert into share_totals select * from json_populate_recordset(null::share_totals, $rows$[
{"share_uid":"3cb08706-e127-43a8-9420-093508194762","reserved_bytes":4,"removal_requested_at":null,"charged_to":"04161246-fded-45c2-8dcf-3014949958b8"},
{"share_uid":"5aa4db94-0c0c-49b4-9742-eef871788f54","reserved_bytes":310011,"removal_requested_at":null,"charged_to":"04161246-fded-45c2-8dcf-3014949958b8"},
{"share_uid":"6f86b024-b5c9-42ca-85be-de60ab360980","reserved_bytes":240005,"removal_requested_at":null,"charged_to":"04161246-fded-45c2-8dcf-3014949958b8"},
{"share_uid":"7284abc1-1a18-4292-a148-fb534a8a9398","reserved_bytes":105,"removal_requested_at":null,"charged_to":"04161246-fded-45c2-8dcf-3014949958b8"},
{"share_uid":"b1b76eb5-7720-4979-97fc-b3289c511591","reserved_bytes":8,"removal_requested_at":null,"charged_to":"6f5fd0a6-3c6f-402f-bc7d-9485529f224c"},
{"share_uid":"b5a3048e-93c8-42d1-9398-e785ffa7f3ed","reserved_bytes":7,"removal_requested_at":null,"charged_to":"04161246-fded-45c2-8dcf-3014949958b8"},
{"share_uid":"cc22e9a8-1ee3-4d17-8b79-35941ec8fd95","reserved_bytes":3,"removal_requested_at":null,"charged_to":"04161246-fded-45c2-8dcf-3014949958b8"},
{"share_uid":"db41d2a5-1c20-494d-943c-c59e320e08d0","reserved_bytes":5,"removal_requested_at":null,"charged_to":"04161246-fded-45c2-8dcf-3014949958b8"}
]$rows$);

insert into shares select * from json_populate_recordset(null::shares, $rows$[
{"uid":"3cb08706-e127-43a8-9420-093508194762","id":"locked","created_at":"2026-11-25T14:16:53.037+00:00","name":null,"description":null,"expires_at":"2026-12-02T14:16:53.037+00:00","password_hash":"$argon2id$v=19$m=19456,t=2,p=1$oLzXmRm6CJpX7t+h+uPXYQ$HElVAe2gXhgszdL+564V8Ro/2LKq4iN3X8ie0ubXKVo","max_views":100,"views":1,"creator_id":"04161246-fded-45c2-8dcf-3014949958b8","owner_token_hash":null,"state":"completed","completed_at":"2026-11-25T14:16:53.177+00:00","last_activity_at":"2026-11-25T14:16:53.177+00:00","removed_reason":null,"edition":1,"reverse_share_id":null,"receiver_id":null,"is_private":false,"max_size_bytes":null,"sender_name":null,"notify_on_download":false,"first_downloaded_at":"2026-11-25T14:16:55.244+00:00","download_notice_at":null,"language":"en","receiver_language":null,"creator_address_hash":null,"archive_level":0},
{"uid":"5aa4db94-0c0c-49b4-9742-eef871788f54","id":"plain","created_at":"2026-11-25T14:16:52.658+00:00","name":"All kinds","description":null,"expires_at":null,"password_hash":null,"max_views":null,"views":1,"creator_id":"04161246-fded-45c2-8dcf-3014949958b8","owner_token_hash":null,"state":"completed","completed_at":"2026-11-25T14:16:52.994+00:00","last_activity_at":"2026-11-25T14:16:52.994+00:00","removed_reason":null,"edition":1,"reverse_share_id":null,"receiver_id":null,"is_private":false,"max_size_bytes":null,"sender_name":null,"notify_on_download":false,"first_downloaded_at":"2026-11-25T14:16:54.198+00:00","download_notice_at":null,"language":"en","receiver_language":null,"creator_address_hash":null,"archive_level":0},
{"uid":"6f86b024-b5c9-42ca-85be-de60ab360980","id":"draft","created_at":"2026-11-25T14:16:53.379+00:00","name":null,"description":null,"expires_at":"2026-11-26T14:16:53.379+00:00","password_hash":null,"max_views":null,"views":0,"creator_id":"04161246-fded-45c2-8dcf-3014949958b8","owner_token_hash":null,"state":"open","completed_at":null,"last_activity_at":"2026-11-25T14:16:53.379+00:00","removed_reason":null,"edition":0,"reverse_share_id":null,"receiver_id":null,"is_private":false,"max_size_bytes":null,"sender_name":null,"notify_on_download":false,"first_downloaded_at":null,"download_notice_at":null,"language":"en","receiver_language":null,"creator_address_hash":null,"archive_level":null},
{"uid":"7284abc1-1a18-4292-a148-fb534a8a9398","id":"picture","created_at":"2026-11-25T14:16:53.213+00:00","name":null,"description":null,"expires_at":null,"password_hash":null,"max_views":null,"views":1,"creator_id":"04161246-fded-45c2-8dcf-3014949958b8","owner_token_hash":null,"state":"completed","completed_at":"2026-11-25T14:16:53.276+00:00","last_activity_at":"2026-11-25T14:16:53.276+00:00","removed_reason":null,"edition":1,"reverse_share_id":null,"receiver_id":null,"is_private":false,"max_size_bytes":null,"sender_name":null,"notify_on_download":false,"first_downloaded_at":"2026-11-25T14:16:55.245+00:00","download_notice_at":null,"language":"en","receiver_language":null,"creator_address_hash":null,"archive_level":0},
{"uid":"b1b76eb5-7720-4979-97fc-b3289c511591","id":"received","created_at":"2026-11-25T14:16:53.573+00:00","name":null,"description":null,"expires_at":"2026-11-26T14:16:53.475+00:00","password_hash":null,"max_views":null,"views":1,"creator_id":null,"owner_token_hash":"8WYSUptBycVE03--6731cDuO5-bQpqe4msmS3H51Exc","state":"completed","completed_at":"2026-11-25T14:16:53.868+00:00","last_activity_at":"2026-11-25T14:16:53.868+00:00","removed_reason":null,"edition":1,"reverse_share_id":"b6c81f91-ab7e-45cf-b10e-e0bb4e862b0c","receiver_id":"6f5fd0a6-3c6f-402f-bc7d-9485529f224c","is_private":false,"max_size_bytes":50000000,"sender_name":null,"notify_on_download":false,"first_downloaded_at":"2026-11-25T14:16:55.245+00:00","download_notice_at":null,"language":"en","receiver_language":"en","creator_address_hash":null,"archive_level":0},
{"uid":"b5a3048e-93c8-42d1-9398-e785ffa7f3ed","id":"sent","created_at":"2026-11-25T14:16:53.332+00:00","name":null,"description":null,"expires_at":"2026-11-26T14:16:53.332+00:00","password_hash":null,"max_views":null,"views":1,"creator_id":"04161246-fded-45c2-8dcf-3014949958b8","owner_token_hash":null,"state":"completed","completed_at":"2026-11-25T14:16:53.365+00:00","last_activity_at":"2026-11-25T14:16:53.365+00:00","removed_reason":null,"edition":1,"reverse_share_id":null,"receiver_id":null,"is_private":false,"max_size_bytes":null,"sender_name":null,"notify_on_download":false,"first_downloaded_at":"2026-11-25T14:16:55.245+00:00","download_notice_at":null,"language":"en","receiver_language":null,"creator_address_hash":null,"archive_level":0},
{"uid":"cc22e9a8-1ee3-4d17-8b79-35941ec8fd95","id":"expired","created_at":"2026-11-25T14:16:53.285+00:00","name":null,"description":null,"expires_at":"2026-11-25T14:15:56.571558+00:00","password_hash":null,"max_views":null,"views":1,"creator_id":"04161246-fded-45c2-8dcf-3014949958b8","owner_token_hash":null,"state":"completed","completed_at":"2026-11-25T14:16:53.324+00:00","last_activity_at":"2026-11-25T14:16:53.324+00:00","removed_reason":null,"edition":1,"reverse_share_id":null,"receiver_id":null,"is_private":false,"max_size_bytes":null,"sender_name":null,"notify_on_download":false,"first_downloaded_at":null,"download_notice_at":null,"language":"en","receiver_language":null,"creator_address_hash":null,"archive_level":0},
{"uid":"db41d2a5-1c20-494d-943c-c59e320e08d0","id":"arriving","created_at":"2026-11-25T14:16:53.406+00:00","name":null,"description":null,"expires_at":null,"password_hash":null,"max_views":null,"views":1,"creator_id":"04161246-fded-45c2-8dcf-3014949958b8","owner_token_hash":null,"state":"uploading","completed_at":null,"last_activity_at":"2026-11-25T14:16:53.437+00:00","removed_reason":null,"edition":1,"reverse_share_id":null,"receiver_id":null,"is_private":false,"max_size_bytes":null,"sender_name":null,"notify_on_download":false,"first_downloaded_at":"2026-11-25T14:16:55.263+00:00","download_notice_at":null,"language":"en","receiver_language":null,"creator_address_hash":null,"archive_level":0}
]$rows$);

insert into storage_usage select * from json_populate_recordset(null::storage_usage, $rows$[
{"owner_id":"00000000-0000-0000-0000-000000000000","used_bytes":550148,"limit_bytes":0},
{"owner_id":"04161246-fded-45c2-8dcf-3014949958b8","used_bytes":550140,"limit_bytes":0},
{"owner_id":"6f5fd0a6-3c6f-402f-bc7d-9485529f224c","used_bytes":8,"limit_bytes":0}
]$rows$);

insert into thumbnails select * from json_populate_recordset(null::thumbnails, $rows$[
{"share_uid":"7284abc1-1a18-4292-a148-fb534a8a9398","file_id":"2189fd0f-4b1a-48fe-be46-35566249f8ef","state":"ready","position":1,"object_key":"90cacf79c3aef30388270d20ee964025","size_bytes":90,"crc32":4170129164,"width":40,"height":40,"attempts":1,"claim_holder":null,"made_at":"2026-11-25T14:16:54.29+00:00"}
]$rows$);

insert into totp_secrets select * from json_populate_recordset(null::totp_secrets, $rows$[
{"user_id":"04161246-fded-45c2-8dcf-3014949958b8","sealed_secret":"\\x01ad997d2d361f5f6ec5e31516f5d86a34312adf07f02ed0c51c5a508c7fc32512fbc0573dc9b117096979b54de82e51e11f7cdc9b083d74784124dfaf","verified_at":"2026-11-25T14:16:52.552+00:00","last_time_step":59853873}
]$rows$);

insert into uploads select * from json_populate_recordset(null::uploads, $rows$[
{"id":"1u4DQVEZrAudWtFDB-DSGx-FA3PKntRe","kind":"chunk","share_uid":"b1b76eb5-7720-4979-97fc-b3289c511591","share_id":"received","user_id":null,"file_id":"d6f7a95e-6308-4ef5-9261-69a03a47a86b","name":"received.txt","metadata":null,"concatenation":null,"length_bytes":8,"chunk_bytes":8,"object_key":"80c347ae0474f249666712bc97afe5e7","offset_bytes":8,"crc32":3379313095,"synced_bytes":0,"synced_crc32":0,"boot_id":"48364b9e-3fd7-44b8-9454-65d95cb71b88","discards_unverified":false,"reserved_bytes":8,"lease_token":1,"lease_holder":null,"created_at":"2026-11-25T14:16:53.731+00:00","expires_at":"2026-11-26T14:16:53.806+00:00","finished_at":"2026-11-25T14:16:53.806+00:00","charged_to":"6f5fd0a6-3c6f-402f-bc7d-9485529f224c","received_bytes":8},
{"id":"2q08clMW0veQfVlpXu3d9ht-DNMWP09x","kind":"chunk","share_uid":"cc22e9a8-1ee3-4d17-8b79-35941ec8fd95","share_id":"expired","user_id":"04161246-fded-45c2-8dcf-3014949958b8","file_id":"24185d2e-0847-4cd2-ad40-340b48aa41c7","name":"old.txt","metadata":null,"concatenation":null,"length_bytes":3,"chunk_bytes":3,"object_key":"c131ea326fa73899710a861a04ae8d93","offset_bytes":3,"crc32":1063113957,"synced_bytes":0,"synced_crc32":0,"boot_id":"48364b9e-3fd7-44b8-9454-65d95cb71b88","discards_unverified":false,"reserved_bytes":3,"lease_token":1,"lease_holder":null,"created_at":"2026-11-25T14:16:53.296+00:00","expires_at":"2026-11-26T14:16:53.316+00:00","finished_at":"2026-11-25T14:16:53.316+00:00","charged_to":"04161246-fded-45c2-8dcf-3014949958b8","received_bytes":3},
{"id":"3QDTNc-jwNDjHH4hiu2IsbESZQv_Rx1E","kind":"chunk","share_uid":"db41d2a5-1c20-494d-943c-c59e320e08d0","share_id":"arriving","user_id":"04161246-fded-45c2-8dcf-3014949958b8","file_id":"8fc26233-6564-43a8-9339-54afa83c5146","name":"first.txt","metadata":null,"concatenation":null,"length_bytes":5,"chunk_bytes":5,"object_key":"3a96eb3777c9092336ffc6000cd4a57c","offset_bytes":5,"crc32":2456940119,"synced_bytes":0,"synced_crc32":0,"boot_id":"48364b9e-3fd7-44b8-9454-65d95cb71b88","discards_unverified":false,"reserved_bytes":5,"lease_token":1,"lease_holder":null,"created_at":"2026-11-25T14:16:53.419+00:00","expires_at":"2026-11-26T14:16:53.431+00:00","finished_at":"2026-11-25T14:16:53.431+00:00","charged_to":"04161246-fded-45c2-8dcf-3014949958b8","received_bytes":5},
{"id":"7CXfcJ38_LJiB4OaVCfPk_aBs6ZDWw6i","kind":"chunk","share_uid":"5aa4db94-0c0c-49b4-9742-eef871788f54","share_id":"plain","user_id":"04161246-fded-45c2-8dcf-3014949958b8","file_id":"f7f79b2e-9fc5-4ee5-9d09-adeb2dd0b061","name":"folder/long.txt","metadata":null,"concatenation":null,"length_bytes":310000,"chunk_bytes":310000,"object_key":"e50b10dc6d2fa15e93c079881d27b124","offset_bytes":310000,"crc32":3378616714,"synced_bytes":0,"synced_crc32":0,"boot_id":"48364b9e-3fd7-44b8-9454-65d95cb71b88","discards_unverified":false,"reserved_bytes":310000,"lease_token":1,"lease_holder":null,"created_at":"2026-11-25T14:16:52.939+00:00","expires_at":"2026-11-26T14:16:52.968+00:00","finished_at":"2026-11-25T14:16:52.968+00:00","charged_to":"04161246-fded-45c2-8dcf-3014949958b8","received_bytes":310000},
{"id":"BfuGnVdzw7LSTA5fgvnNKkfOcJ34XRyo","kind":"chunk","share_uid":"3cb08706-e127-43a8-9420-093508194762","share_id":"locked","user_id":"04161246-fded-45c2-8dcf-3014949958b8","file_id":"a0de8152-e455-4d64-a9aa-1d212aabcf11","name":"kept.txt","metadata":null,"concatenation":null,"length_bytes":4,"chunk_bytes":4,"object_key":"3774c44fb8c7fbfd5748a44cc1a54321","offset_bytes":4,"crc32":4213729798,"synced_bytes":0,"synced_crc32":0,"boot_id":"48364b9e-3fd7-44b8-9454-65d95cb71b88","discards_unverified":false,"reserved_bytes":4,"lease_token":1,"lease_holder":null,"created_at":"2026-11-25T14:16:53.135+00:00","expires_at":"2026-11-26T14:16:53.15+00:00","finished_at":"2026-11-25T14:16:53.15+00:00","charged_to":"04161246-fded-45c2-8dcf-3014949958b8","received_bytes":4},
{"id":"LjIeE2gN7T6JHThS7z0WXKZqVXGqUHoh","kind":"chunk","share_uid":"b5a3048e-93c8-42d1-9398-e785ffa7f3ed","share_id":"sent","user_id":"04161246-fded-45c2-8dcf-3014949958b8","file_id":"be05b8a6-c23d-4643-9ffe-4a089e375554","name":"for you.txt","metadata":null,"concatenation":null,"length_bytes":7,"chunk_bytes":7,"object_key":"6c438137209c6ef2fff781946d08fd8e","offset_bytes":7,"crc32":916629179,"synced_bytes":0,"synced_crc32":0,"boot_id":"48364b9e-3fd7-44b8-9454-65d95cb71b88","discards_unverified":false,"reserved_bytes":7,"lease_token":1,"lease_holder":null,"created_at":"2026-11-25T14:16:53.347+00:00","expires_at":"2026-11-26T14:16:53.357+00:00","finished_at":"2026-11-25T14:16:53.357+00:00","charged_to":"04161246-fded-45c2-8dcf-3014949958b8","received_bytes":7},
{"id":"OUwbXK6CmRfPU05nOGlmYP14NNmc9jfz","kind":"chunk","share_uid":"7284abc1-1a18-4292-a148-fb534a8a9398","share_id":"picture","user_id":"04161246-fded-45c2-8dcf-3014949958b8","file_id":"2189fd0f-4b1a-48fe-be46-35566249f8ef","name":"picture.png","metadata":null,"concatenation":null,"length_bytes":105,"chunk_bytes":105,"object_key":"510e29b2bc654a633e4f93af70b341e4","offset_bytes":105,"crc32":3698342166,"synced_bytes":0,"synced_crc32":0,"boot_id":"48364b9e-3fd7-44b8-9454-65d95cb71b88","discards_unverified":false,"reserved_bytes":105,"lease_token":1,"lease_holder":null,"created_at":"2026-11-25T14:16:53.251+00:00","expires_at":"2026-11-26T14:16:53.268+00:00","finished_at":"2026-11-25T14:16:53.268+00:00","charged_to":"04161246-fded-45c2-8dcf-3014949958b8","received_bytes":105},
{"id":"sS4KHwOa9vzXnBhm6eKKky41QSDG32Eo","kind":"chunk","share_uid":"6f86b024-b5c9-42ca-85be-de60ab360980","share_id":"draft","user_id":"04161246-fded-45c2-8dcf-3014949958b8","file_id":"19521287-5284-424b-9749-5c75fa631e3d","name":"first.txt","metadata":null,"concatenation":null,"length_bytes":5,"chunk_bytes":5,"object_key":"b59ef50e30e7202de9ebb148a39bcbb5","offset_bytes":5,"crc32":2456940119,"synced_bytes":0,"synced_crc32":0,"boot_id":"48364b9e-3fd7-44b8-9454-65d95cb71b88","discards_unverified":false,"reserved_bytes":5,"lease_token":1,"lease_holder":null,"created_at":"2026-11-25T14:16:53.389+00:00","expires_at":"2026-11-26T14:16:53.398+00:00","finished_at":"2026-11-25T14:16:53.398+00:00","charged_to":"04161246-fded-45c2-8dcf-3014949958b8","received_bytes":5},
{"id":"sZnr4nX0E1_0WDjaOtK3WJP3Uxn-ZOGH","kind":"chunk","share_uid":"5aa4db94-0c0c-49b4-9742-eef871788f54","share_id":"plain","user_id":"04161246-fded-45c2-8dcf-3014949958b8","file_id":"a6651dcd-f58f-44d0-a996-577b9f7ab09a","name":"hello.txt","metadata":null,"concatenation":null,"length_bytes":11,"chunk_bytes":11,"object_key":"b74f5d640e9db8a9cee558ecc6efb9f1","offset_bytes":11,"crc32":3784261737,"synced_bytes":0,"synced_crc32":0,"boot_id":"48364b9e-3fd7-44b8-9454-65d95cb71b88","discards_unverified":false,"reserved_bytes":11,"lease_token":1,"lease_holder":null,"created_at":"2026-11-25T14:16:52.899+00:00","expires_at":"2026-11-26T14:16:52.925+00:00","finished_at":"2026-11-25T14:16:52.925+00:00","charged_to":"04161246-fded-45c2-8dcf-3014949958b8","received_bytes":11},
{"id":"tKGvDB7xSwslmapzhFijvuQlzRNQX7Vy","kind":"chunk","share_uid":"5aa4db94-0c0c-49b4-9742-eef871788f54","share_id":"plain","user_id":"04161246-fded-45c2-8dcf-3014949958b8","file_id":"d8b40592-6529-4a65-8b81-6723e6ac2607","name":"empty.txt","metadata":null,"concatenation":null,"length_bytes":0,"chunk_bytes":10000000,"object_key":"e0c78b59204645f5cecea82b4676934f","offset_bytes":0,"crc32":0,"synced_bytes":0,"synced_crc32":0,"boot_id":"48364b9e-3fd7-44b8-9454-65d95cb71b88","discards_unverified":true,"reserved_bytes":0,"lease_token":1,"lease_holder":null,"created_at":"2026-11-25T14:16:52.783+00:00","expires_at":"2026-11-26T14:16:52.873+00:00","finished_at":"2026-11-25T14:16:52.873+00:00","charged_to":"04161246-fded-45c2-8dcf-3014949958b8","received_bytes":0},
{"id":"u_NxVfrTQMMu0lZ9rLQ2MyNKGsbI5p1q","kind":"file","share_uid":"6f86b024-b5c9-42ca-85be-de60ab360980","share_id":"draft","user_id":"04161246-fded-45c2-8dcf-3014949958b8","file_id":"a22125d6-4f77-46e3-9fb8-cdaa9ec733c4","name":"half.txt","metadata":"shareId ZHJhZnQ=,filename aGFsZi50eHQ=","concatenation":null,"length_bytes":240000,"chunk_bytes":null,"object_key":"60e65ad4db126bebdc213e3123e860fa","offset_bytes":120000,"crc32":1350000209,"synced_bytes":0,"synced_crc32":0,"boot_id":"48364b9e-3fd7-44b8-9454-65d95cb71b88","discards_unverified":false,"reserved_bytes":240000,"lease_token":1,"lease_holder":null,"created_at":"2026-11-25T14:16:53.449+00:00","expires_at":"2026-11-26T14:16:55.332+00:00","finished_at":null,"charged_to":"04161246-fded-45c2-8dcf-3014949958b8","received_bytes":120000}
]$rows$);

insert into users select * from json_populate_recordset(null::users, $rows$[
{"id":"04161246-fded-45c2-8dcf-3014949958b8","username":"anna","email":"anna@floe.test","is_admin":true,"created_at":"2026-11-25T14:16:52.365+00:00","storage_limit":null,"shows_name":true},
{"id":"6f5fd0a6-3c6f-402f-bc7d-9485529f224c","username":"ben","email":"ben@floe.test","is_admin":false,"created_at":"2026-11-25T14:16:52.589+00:00","storage_limit":null,"shows_name":true}
]$rows$);

insert into view_counts select * from json_populate_recordset(null::view_counts, $rows$[
{"share_uid":"3cb08706-e127-43a8-9420-093508194762","hour":"2026-11-25T14:00:00+00:00","count":1},
{"share_uid":"5aa4db94-0c0c-49b4-9742-eef871788f54","hour":"2026-11-25T14:00:00+00:00","count":1},
{"share_uid":"7284abc1-1a18-4292-a148-fb534a8a9398","hour":"2026-11-25T14:00:00+00:00","count":1},
{"share_uid":"b1b76eb5-7720-4979-97fc-b3289c511591","hour":"2026-11-25T14:00:00+00:00","count":1},
{"share_uid":"b5a3048e-93c8-42d1-9398-e785ffa7f3ed","hour":"2026-11-25T14:00:00+00:00","count":1},
{"share_uid":"cc22e9a8-1ee3-4d17-8b79-35941ec8fd95","hour":"2026-11-25T14:00:00+00:00","count":1},
{"share_uid":"db41d2a5-1c20-494d-943c-c59e320e08d0","hour":"2026-11-25T14:00:00+00:00","count":1}
]$rows$);

select setval('outbox_id_seq', 35);

do $$
declare
  place record;
begin
  for place in
    select table_name, column_name from information_schema.columns
    where table_schema = current_schema() and data_type = 'timestamp with time zone'
  loop
    execute format('update %I set %2$I = %2$I + (now() - %3$L::timestamptz)',
      place.table_name, place.column_name, '2026-11-25 14:16:56.788224+00');
  end loop;
end $$;
set session_replication_role = origin;
