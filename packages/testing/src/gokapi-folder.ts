import { createHash } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SqliteValue, writeSqlite } from './write-sqlite.ts'

type GokapiFile = { Id: string; content: string | Buffer } & Record<string, SqliteValue>

export interface GokapiData {
  files: GokapiFile[]
  users?: string[]
  /** Of before there were accounts and times of uploads. */
  isOld?: boolean
}

const tables = `
  create table ApiKeys (Id TEXT NOT NULL UNIQUE, FriendlyName TEXT NOT NULL, PRIMARY KEY(Id)) WITHOUT ROWID;
  create table FileMetaData (Id TEXT NOT NULL UNIQUE, Name TEXT NOT NULL, Size TEXT NOT NULL,
    SHA1 TEXT NOT NULL, ExpireAt INTEGER NOT NULL, SizeBytes INTEGER NOT NULL,
    DownloadsRemaining INTEGER NOT NULL, DownloadCount INTEGER NOT NULL, PasswordHash TEXT NOT NULL,
    HotlinkId TEXT NOT NULL, ContentType TEXT NOT NULL, AwsBucket TEXT NOT NULL,
    Encryption BLOB NOT NULL, UnlimitedDownloads INTEGER NOT NULL, UnlimitedTime INTEGER NOT NULL,
    PRIMARY KEY(Id));
  create table Hotlinks (Id TEXT NOT NULL UNIQUE, FileId TEXT NOT NULL UNIQUE, PRIMARY KEY(Id)) WITHOUT ROWID;`

const later = `
  create table Users (Id INTEGER NOT NULL UNIQUE, Name TEXT NOT NULL UNIQUE, Password TEXT,
    Permissions INTEGER NOT NULL, Userlevel INTEGER NOT NULL, PRIMARY KEY(Id AUTOINCREMENT));
  alter table FileMetaData add column UserId INTEGER NOT NULL DEFAULT 0;
  alter table FileMetaData add column UploadDate INTEGER NOT NULL DEFAULT 0;
  alter table FileMetaData add column PendingDeletion INTEGER NOT NULL DEFAULT 0;
  alter table FileMetaData add column UploadRequestId TEXT NOT NULL DEFAULT '';`

/** Its folder with a file for each content, and a row that anybody may open unless it says otherwise. */
export async function writeGokapi({
  files,
  users = [],
  isOld = false,
}: GokapiData): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'floe-gokapi-'))
  const digests = files.map(({ content }) => createHash('sha1').update(content).digest('hex'))
  await writeSqlite(join(folder, 'data', 'gokapi.sqlite'), isOld ? tables : tables + later, {
    FileMetaData: files.map(({ content, ...row }, index) => ({
      Name: `${row.Id}.txt`,
      Size: '1 B',
      SHA1: digests[index] ?? '',
      ExpireAt: 0,
      SizeBytes: Buffer.byteLength(content),
      DownloadsRemaining: 0,
      DownloadCount: 0,
      PasswordHash: '',
      HotlinkId: '',
      ContentType: 'text/plain',
      AwsBucket: '',
      Encryption: gokapiEncryption(false),
      UnlimitedDownloads: 1,
      UnlimitedTime: 1,
      ...row,
    })),
    ...(!isOld && {
      Users: users.map((Name) => ({ Name, Permissions: 0, Userlevel: 2 })),
    }),
  })
  for (const [index, { content }] of files.entries()) {
    await writeFile(join(folder, 'data', digests[index] ?? ''), content)
  }
  return folder
}

/** Their `EncryptionInfo` as Go's gob has it: the types, then the value without fields that are zero. */
export function gokapiEncryption(isEncrypted: boolean): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.from([value.length]), Buffer.from(value)])
  const field = (name: string, type: number) =>
    Buffer.concat([Buffer.from([1]), text(name), Buffer.from([1, type, 0])])
  const [boolean, bytes] = [2, 10]
  const type = Buffer.concat([
    Buffer.from([0xff, 0x81, 3, 1, 1]),
    text('EncryptionInfo'),
    Buffer.from([1, 0xff, 0x82, 0, 1, 4]),
    field('IsEncrypted', boolean),
    field('IsEndToEndEncrypted', boolean),
    field('DecryptionKey', bytes),
    field('Nonce', bytes),
    Buffer.from([0, 0]),
  ])
  const value = Buffer.from(isEncrypted ? [0xff, 0x82, 1, 1, 0] : [0xff, 0x82, 0])
  return Buffer.concat([type, value].flatMap((message) => [Buffer.from([message.length]), message]))
}
