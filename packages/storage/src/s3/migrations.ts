import type { Migration } from '@floe/db'

/**
 * What S3 does not tell about an object that is still growing: its parts, and the bytes after
 * the last whole one. Any replica continues with it.
 */
export const s3Migrations: readonly Migration[] = [
  {
    name: '0001-create-s3-objects',
    async up(knex) {
      await knex.raw(`
        create table s3_objects (
          key char(32) primary key,
          part_base_bytes bigint not null,
          parts_double boolean not null,
          -- Raised when the object is opened for writing: what an earlier writer sends is void.
          writer_token integer not null default 0,
          upload_id text,
          -- Where the bytes end that survive everything.
          synced_bytes bigint not null default 0,
          synced_crc32 bigint not null default 0,
          is_finished boolean not null default false,
          created_at timestamptz not null default now()
        );
        create table s3_parts (
          key char(32) not null references s3_objects on delete cascade,
          number integer not null,
          size_bytes bigint not null,
          etag text not null,
          crc32 bigint not null,
          -- Of the object up to the end of this part.
          end_crc32 bigint not null,
          primary key (key, number)
        );
        create table s3_pieces (
          key char(32) not null references s3_objects on delete cascade,
          start_bytes bigint not null,
          bytes bytea not null,
          primary key (key, start_bytes)
        );
        -- They are compressed already, or would not shrink in the time.
        alter table s3_pieces alter column bytes set storage external;
      `)
    },
  },
  {
    name: '0002-create-s3-installation',
    async up(knex) {
      // Never part of a backup: what is restored elsewhere is another installation.
      await knex.raw(`
        create table s3_installation (id uuid primary key default gen_random_uuid());
        insert into s3_installation default values;
      `)
    },
  },
]
