import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type SqliteRows, writeSqlite } from './write-sqlite.ts'

export interface PalmrData {
  rows: SqliteRows
  /** Content by path below `uploads`. */
  files?: Record<string, string | Buffer>
  /** Of before there were folders and second factors. */
  isOld?: boolean
}

const times = `createdAt DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP, updatedAt DATETIME`

/** As Prisma makes them, as far as data is concerned. */
const tables = `
  create table users (id TEXT PRIMARY KEY, firstName TEXT NOT NULL DEFAULT '',
    lastName TEXT NOT NULL DEFAULT '', username TEXT NOT NULL UNIQUE, email TEXT NOT NULL UNIQUE,
    password TEXT, isAdmin BOOLEAN NOT NULL DEFAULT false, isActive BOOLEAN NOT NULL DEFAULT true, ${times});
  create table files (id TEXT PRIMARY KEY, name TEXT NOT NULL, extension TEXT NOT NULL DEFAULT '',
    size BIGINT NOT NULL, objectName TEXT NOT NULL, userId TEXT NOT NULL, ${times});
  create table shares (id TEXT PRIMARY KEY, name TEXT, views INTEGER NOT NULL DEFAULT 0,
    expiration DATETIME, description TEXT, creatorId TEXT, securityId TEXT NOT NULL UNIQUE, ${times});
  create table share_security (id TEXT PRIMARY KEY, password TEXT, maxViews INTEGER, ${times});
  create table share_recipients (id TEXT PRIMARY KEY, email TEXT NOT NULL, shareId TEXT NOT NULL, ${times});
  create table share_aliases (id TEXT PRIMARY KEY, alias TEXT NOT NULL UNIQUE,
    shareId TEXT NOT NULL UNIQUE, ${times});
  create table user_auth_providers (id TEXT PRIMARY KEY, userId TEXT NOT NULL, provider TEXT, ${times});
  create table reverse_shares (id TEXT PRIMARY KEY, name TEXT, creatorId TEXT NOT NULL, ${times});
  create table reverse_share_files (id TEXT PRIMARY KEY, name TEXT NOT NULL, size BIGINT NOT NULL,
    objectName TEXT NOT NULL, reverseShareId TEXT NOT NULL, ${times});
  create table "_ShareFiles" (A TEXT NOT NULL, B TEXT NOT NULL);`

const later = `
  alter table users add column twoFactorEnabled BOOLEAN NOT NULL DEFAULT false;
  alter table users add column twoFactorSecret TEXT;
  alter table users add column twoFactorVerified BOOLEAN NOT NULL DEFAULT false;
  alter table files add column folderId TEXT;
  create table folders (id TEXT PRIMARY KEY, name TEXT NOT NULL, parentId TEXT, userId TEXT NOT NULL, ${times});
  create table "_ShareFolders" (A TEXT NOT NULL, B TEXT NOT NULL);`

/** A data folder as Palmr leaves it. */
export async function writePalmr({ rows, files = {}, isOld = false }: PalmrData): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'floe-palmr-'))
  await mkdir(join(folder, 'uploads'))
  await writeSqlite(join(folder, 'prisma', 'palmr.db'), isOld ? tables : tables + later, rows)
  for (const [path, content] of Object.entries(files)) {
    const target = join(folder, 'uploads', path)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, content)
  }
  return folder
}
