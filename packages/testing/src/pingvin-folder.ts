import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SqliteValue, writeSqlite } from './write-sqlite.ts'

/** 0.24.1, 1.13.0, and the fork. */
export type PingvinVersion = 'A' | 'B' | 'X'

/** Rows by table; a column that is not named gets its default. */
export type PingvinRows = Partial<Record<keyof typeof tables, Record<string, SqliteValue>[]>>

export interface PingvinData {
  version: PingvinVersion
  rows: PingvinRows
  /** Content by path below `uploads/shares`. */
  files?: Record<string, string | Buffer>
  /** `config.yaml` beside the database. */
  config?: string
}

/** Columns as each version's migrations leave them, as far as data is concerned. */
const tables = {
  User: `id TEXT PRIMARY KEY, createdAt DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    updatedAt DATETIME NOT NULL, username TEXT NOT NULL UNIQUE, email TEXT NOT NULL UNIQUE,
    password TEXT, isAdmin BOOLEAN NOT NULL DEFAULT 0, totpEnabled BOOLEAN NOT NULL DEFAULT 0,
    totpVerified BOOLEAN NOT NULL DEFAULT 0, totpSecret TEXT
    /*B*/, ldapDN TEXT UNIQUE
    /*X*/, isActivated BOOLEAN NOT NULL DEFAULT 1, activationToken TEXT UNIQUE,
    activationTokenExpiresAt DATETIME, shareSizeLimit TEXT, storageQuotaLimit TEXT`,
  RefreshToken: `id TEXT PRIMARY KEY, token TEXT NOT NULL UNIQUE,
    createdAt DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP, expiresAt DATETIME NOT NULL,
    userId TEXT NOT NULL /*B*/, oauthIDToken TEXT`,
  OAuthUser: `id TEXT PRIMARY KEY, provider TEXT NOT NULL, providerUserId TEXT NOT NULL,
    providerUsername TEXT NOT NULL, userId TEXT NOT NULL`,
  Share: `id TEXT PRIMARY KEY, createdAt DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP, name TEXT,
    uploadLocked BOOLEAN NOT NULL DEFAULT 0, isZipReady BOOLEAN NOT NULL DEFAULT 0,
    views INTEGER NOT NULL DEFAULT 0, expiration DATETIME NOT NULL, description TEXT,
    removedReason TEXT, creatorId TEXT, reverseShareId TEXT
    /*B*/, storageProvider TEXT NOT NULL DEFAULT 'LOCAL' /*X*/, updatedAt DATETIME`,
  ReverseShare: `id TEXT PRIMARY KEY, createdAt DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    token TEXT NOT NULL UNIQUE, shareExpiration DATETIME NOT NULL, maxShareSize TEXT NOT NULL,
    sendEmailNotification BOOLEAN NOT NULL, remainingUses INTEGER NOT NULL, creatorId TEXT NOT NULL
    /*B*/, simplified BOOLEAN NOT NULL DEFAULT 0, publicAccess BOOLEAN NOT NULL DEFAULT 1`,
  ShareRecipient: `id TEXT PRIMARY KEY, email TEXT NOT NULL, shareId TEXT NOT NULL`,
  File: `id TEXT PRIMARY KEY, createdAt DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    name TEXT NOT NULL, size TEXT NOT NULL, shareId TEXT NOT NULL`,
  ShareSecurity: `id TEXT PRIMARY KEY, createdAt DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    password TEXT, maxViews INTEGER, shareId TEXT UNIQUE
    /*X*/, restrictToRecipients BOOLEAN NOT NULL DEFAULT 0`,
  /** Of the fork alone. */
  ShareUserRecipient: `id TEXT PRIMARY KEY, createdAt DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    userId TEXT NOT NULL, shareId TEXT NOT NULL, UNIQUE (userId, shareId)`,
  Config: `updatedAt DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP, name TEXT NOT NULL,
    category TEXT NOT NULL, type TEXT NOT NULL, defaultValue TEXT NOT NULL DEFAULT '', value TEXT,
    obscured BOOLEAN NOT NULL DEFAULT 0, secret BOOLEAN NOT NULL DEFAULT 1,
    locked BOOLEAN NOT NULL DEFAULT 0, "order" INTEGER NOT NULL, PRIMARY KEY (name, category)`,
}

const order: PingvinVersion[] = ['A', 'B', 'X']

/** The columns up to a version: what a later one added comes behind its mark. */
function columnsOf(definition: string, version: PingvinVersion): string {
  const late = order.slice(order.indexOf(version) + 1)
  return late.reduce((columns, one) => columns.split(`/*${one}*/`)[0] ?? '', definition)
}

/** A data folder as a server of that version leaves it. */
export async function writePingvin({
  version,
  rows,
  files = {},
  config,
}: PingvinData): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'floe-pingvin-'))
  await mkdir(join(folder, 'uploads', 'shares'), { recursive: true })
  const schema = Object.entries(tables)
    .filter(([table]) => table !== 'ShareUserRecipient' || version === 'X')
    .map(([table, definition]) => `create table "${table}" (${columnsOf(definition, version)});`)
  await writeSqlite(join(folder, 'pingvin-share.db'), schema.join('\n'), rows)
  if (config !== undefined) await writeFile(join(folder, 'config.yaml'), config)
  for (const [path, content] of Object.entries(files)) {
    const target = join(folder, 'uploads', 'shares', path)
    await mkdir(join(target, '..'), { recursive: true })
    await writeFile(target, content)
  }
  return folder
}

/** Puts a database of another product, or of another time, in the place of theirs. */
export async function replaceDatabase(folder: string, statement: string): Promise<void> {
  const path = join(folder, 'pingvin-share.db')
  await rm(path)
  await writeSqlite(path, statement, {})
}
