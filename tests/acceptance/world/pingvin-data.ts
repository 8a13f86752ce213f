import { randomBytes, randomUUID } from 'node:crypto'
import type { PingvinData } from '@floe/testing'

export const ALICE = '3f0d6b1e-52a7-4a9d-a9f0-8c4b2d1e0f11'
export const BOB = '8a6f4a57-93a5-4a43-8b0f-0a8f4b1d2c3e'
export const REVERSE = '11f2b7a0-6b1d-4f0e-9d3c-6f1e2d3c4b5a'
export const TOTP_SECRET = 'JBSWY3DPEHPK3PXP'
export const SESSION = '0c2b6f3e-2f8c-4a53-9a4e-5d6b7c8d9e0f'
export const MADE = Date.parse('2024-02-03T04:05:06.789Z')
export const NEVER = 0

/** Of "old password 1", "old password 2" and "share password", as 2022's, later and share's hashes. */
export const hashes = {
  alice:
    '$argon2id$v=19$m=4096,t=3,p=1$iszHy73z86z78EmD4uMfoQ$6VdFrpbOyYdCIRoqMMmHF5r3Kv7ApmWVyOrAPCZkezM',
  bob: '$argon2id$v=19$m=65536,t=3,p=4$CiOvlEk/x3mgnPqlb4p2Cw$LH642xlLYa6XofEixcw3QXHNMp8qzRcpBGC2a3m52gA',
  share:
    '$argon2id$v=19$m=65536,t=3,p=4$E4yQ/cGXoa86BkS/T8AdRQ$KSW5Q9tQT8lBGifzMYs+woWW6/LAVvtma9CD3oQtbHI',
}

const large = randomBytes(3_000_000)
export const files = [
  { id: 'b7f1a0c2-1111-4222-8333-444455556666', name: 'large.bin', content: large },
  { id: 'b7f1a0c2-1111-4222-8333-444455556667', name: 'x'.repeat(255), content: Buffer.from('x') },
  { id: 'b7f1a0c2-1111-4222-8333-444455556668', name: '"q" \\ 🏖.txt', content: Buffer.from('sea') },
  { id: 'b7f1a0c2-1111-4222-8333-444455556669', name: 'empty', content: Buffer.alloc(0) },
  { id: 'b7f1a0c2-1111-4222-8333-44445555666a', name: 'empty', content: Buffer.from('twice') },
]

const user = { createdAt: MADE, updatedAt: MADE }
const users = [
  {
    ...user,
    id: ALICE,
    username: 'alice',
    email: 'Alice@Example.org',
    password: hashes.alice,
    isAdmin: 1,
  },
  {
    ...user,
    id: BOB,
    username: 'bob',
    email: 'bob@example.org',
    password: hashes.bob,
    totpEnabled: 1,
    totpVerified: 1,
    totpSecret: TOTP_SECRET,
  },
]

/** Two accounts with all that accounts can have. */
export function dataOf(version: PingvinData['version']): PingvinData {
  const share = { createdAt: MADE, expiration: NEVER, uploadLocked: 1 }
  return {
    version,
    rows: {
      User: users,
      RefreshToken: [
        {
          id: '1',
          token: SESSION,
          createdAt: MADE,
          expiresAt: Date.now() + 86_400_000,
          userId: ALICE,
        },
      ],
      ReverseShare: [
        {
          id: REVERSE,
          createdAt: MADE,
          token: 'send-to-bob',
          shareExpiration: Date.now() + 86_400_000,
          maxShareSize: '1000000000',
          sendEmailNotification: 0,
          remainingUses: 2,
          creatorId: BOB,
        },
      ],
      Share: [
        { ...share, id: 'Holiday_2024', name: 'Holiday', views: 7, creatorId: ALICE },
        { ...share, id: 'holiday_2024', views: 1, creatorId: ALICE },
        { ...share, id: 'expired-one', expiration: MADE, creatorId: ALICE },
        { ...share, id: 'unfinished', uploadLocked: 0, creatorId: ALICE },
        { ...share, id: 'taken-down', removedReason: 'Not allowed', creatorId: BOB },
        { ...share, id: 'sent-to-bob', reverseShareId: REVERSE },
      ],
      Config: [
        { category: 'general', name: 'appName', type: 'string', value: 'Old name', order: 0 },
        { category: 'share', name: 'maxExpiration', type: 'timespan', value: '2 weeks', order: 0 },
        { category: 'smtp', name: 'password', type: 'string', value: 'smtp secret', order: 0 },
        { category: 'smtp', name: 'port', type: 'number', value: '99999999', order: 1 },
        { category: 'cache', name: 'ttl', type: 'number', value: '60', order: 0 },
        { category: 'internal', name: 'jwtSecret', type: 'string', value: 'jwt', order: 0 },
        { category: 'share', name: 'maxSize', type: 'number', value: null, order: 1 },
      ],
      ShareSecurity: [{ id: '1', password: hashes.share, maxViews: 9, shareId: 'Holiday_2024' }],
      ShareRecipient: [{ id: '1', email: 'carol@example.org', shareId: 'Holiday_2024' }],
      File: [
        ...files.map(({ id, name, content }) => ({
          id,
          createdAt: MADE,
          name,
          size: String(content.length),
          shareId: 'Holiday_2024',
        })),
        { id: 'lost', createdAt: MADE, name: 'lost.txt', size: '3', shareId: 'Holiday_2024' },
        { id: 'sent', createdAt: MADE, name: 'sent.txt', size: '4', shareId: 'sent-to-bob' },
      ],
    },
    files: {
      ...Object.fromEntries(files.map(({ id, content }) => [`Holiday_2024/${id}`, content])),
      'Holiday_2024/archive.zip': 'PK',
      'sent-to-bob/sent': 'sent',
    },
  }
}

/** What does not come of it, or comes otherwise. */
export const LOSSES = [
  'setting cache.ttl has no counterpart here',
  'setting smtp.port has a value that is none here',
  'share Holiday_2024: "lost.txt" has no bytes, and is left out',
  'share expired-one expired on 2024-02-03T04:05:06.789Z, and is left out',
  'share sent-to-bob: "sent.txt" has another direct link here',
  'share holiday_2024 has no files, and its page says so',
]

/** So many shares of one file each. */
export function sharesOf(prefix: string, count: number, bytes: number): PingvinData {
  const ids = Array.from({ length: count }, (_, index) => `${prefix}-${index}`)
  const row = { createdAt: MADE, expiration: NEVER, uploadLocked: 1 }
  const rows = ids.map((id) => ({
    id: randomUUID(),
    createdAt: MADE,
    name: `${id}.bin`,
    size: String(bytes),
    shareId: id,
  }))
  return {
    version: 'X',
    rows: { Share: ids.map((id) => ({ ...row, id })), File: rows },
    files: Object.fromEntries(
      rows.map(({ id, shareId }) => [`${shareId}/${id}`, randomBytes(bytes)]),
    ),
  }
}
