import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { shareWebhookEvents, writePrefixChecksum } from '@floe/contracts'
import { decryptManifest, keyOfLink, lockWithPassword, type Manifest } from '@floe/encryption'
import {
  findFreePorts,
  queryDatabase,
  queryDataDirectory,
  type SmtpCatcher,
  startSmtpCatcher,
  withDataDirectory,
} from '@floe/testing'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createClient } from '../acceptance/world/http-client.ts'
import { openShare } from '../acceptance/world/shares.ts'
import { openWebhookReceiver, type WebhookReceiver } from '../acceptance/world/webhook-receiver.ts'
import { startWiretap, type Wiretap } from '../acceptance/world/wiretap.ts'
import { enterPassword, pathOf } from './harness/encrypted.ts'
import { download, hashFile, writeTree } from './harness/files.ts'
import type { Member, Visitor } from './harness/journey.ts'
import { find, type Hay, needle, type Needle, readFolder } from './harness/needles.ts'
import { configure } from './harness/people.ts'
import { finishShare, shareButton, shareOptions } from './harness/uploading.ts'
import { useOwnFloe } from './harness/use-journey.ts'

interface Sent {
  link: string
  folder: string
  /** In the folder, with the note and the book. */
  inner: string
  note: string
  words: string
  book: string
  /** Too large for a batch. */
  film: string
  /** Of the film, as browsers tell it of plain files. */
  type: string
  bytes: Buffer
  password: string
}

const secret: Sent = {
  link: 'encrypted-share',
  folder: 'Plum harvest',
  inner: 'Drawer of aunt Ottilie',
  note: 'handover süß 世界.txt',
  words: 'meet me at the old harbour at nine',
  book: 'copper kettle.epub',
  film: 'nightingale.webm',
  type: 'video/webm',
  bytes: randomBytes(2_500_000),
  password: 'pâte à choux, 3 eggs',
}
/** What is not encrypted has to be found, or the search is none. */
const plain: Sent = {
  link: 'plain-share',
  folder: 'Apple harvest',
  inner: 'Drawer of uncle Albert',
  note: 'invoice süß 世界.txt',
  words: 'leave it at the new lighthouse at ten',
  book: 'silver spoon.epub',
  film: 'blackbird.mov',
  type: 'video/quicktime',
  bytes: randomBytes(2_500_000),
  password: 'pâte brisée, 2 eggs',
}

const recipient = 'rosa@example.org'
let metricsPorts: number[]
let receiver: WebhookReceiver
const printed: Buffer[] = []

// A Floe of its own, to hear all that it says.
const journey = useOwnFloe(async () => {
  receiver = await openWebhookReceiver()
  metricsPorts = await findFreePorts(12)
  return {
    environment: {
      LOG_LEVEL: 'trace',
      FLOE_SPLIT_LOGS: 'yes',
      METRICS_PORT: String(metricsPorts[0]),
      WEBHOOK_NETWORKS: '127.0.0.0/8',
    },
    onOutput: (chunk) => printed.push(chunk),
  }
})
let smtp: SmtpCatcher
/** Between the browsers and the server. */
let wire: Wiretap
let admin: Member
let member: Member
let needles: Record<'plain' | 'secret', Needle[]>

beforeAll(async () => {
  wire = await startWiretap(journey.floe.url)
  smtp = await startSmtpCatcher()
  admin = await journey.visitAsAdministrator({ baseURL: wire.url })
  member = await journey.visitAsMember({ baseURL: wire.url })
  await listen()
  const links: string[] = []
  for (const sent of [plain, secret]) {
    const link = await send(sent)
    await receive(sent, link)
    links.push(link)
  }
  await expectTold()
  const [plainLink = '', secretLink = ''] = links
  needles = {
    plain: needlesOf(plain),
    secret: [...needlesOf(secret), ...(await keysOf(secretLink))],
  }
  expect(plainLink).not.toContain('#')
}, 300_000)
afterAll(async () => {
  receiver?.server.close()
  await Promise.all([smtp?.stop(), wire?.close()])
})

/** Switches on all that tells somebody of a share. */
async function listen(): Promise<void> {
  await configure(admin, {
    'smtp.enabled': true,
    'smtp.host': smtp.host,
    'smtp.port': smtp.port,
    'smtp.email': 'floe@mail.test',
    'email.enableShareEmailRecipients': true,
  })
  const events = [...shareWebhookEvents]
  for (const [person, scope] of [
    [member, 'own'],
    [admin, 'instance'],
  ] as const) {
    const data = { url: receiver.url, events, scope }
    expect((await person.context.request.post('/api/webhooks', { data })).status()).toBe(201)
  }
}

/** By the page, to recipients, and asking for a message when somebody downloads. */
async function send(sent: Sent): Promise<string> {
  const { page } = member
  await writeTree(journey.folder, {
    [join(sent.folder, sent.film)]: sent.bytes,
    [join(sent.folder, sent.inner, sent.note)]: sent.words.repeat(20),
    [join(sent.folder, sent.inner, sent.book)]: `${sent.words}, says the book`,
  })
  await page.goto('/upload')
  const encryption = page.getByRole('switch', { name: 'End-to-end encryption' })
  await encryption.setChecked(sent === secret)
  await page.getByLabel('Folder to upload').setInputFiles(join(journey.folder, sent.folder))
  const options = shareOptions(page)
  await options.getByLabel('Link').fill(sent.link)
  await options.getByRole('switch', { name: 'Email me when it is downloaded' }).check()
  await options.getByRole('button', { name: 'Email recipients' }).click()
  await options.getByRole('textbox', { name: 'Recipients' }).fill(recipient)
  await page.keyboard.press('Enter')
  await options.getByRole('button', { name: 'Security options' }).click()
  await options.getByLabel('Password', { exact: true }).fill(sent.password)
  await shareButton(page).click()
  return finishShare(page)
}

/** By somebody else, in every way that a page has. */
async function receive(sent: Sent, link: string): Promise<void> {
  const { page, leave } = await journey.visit({ baseURL: wire.url })
  await page.goto(pathOf(link))
  await enterPassword(page, sent.password)
  await page.getByRole('button', { name: `Open folder ${sent.inner}` }).click()
  await page.getByText(sent.note).first().waitFor()
  // The server sees the address of the folder, too.
  await page.reload()
  if (sent === secret) await enterPassword(page, sent.password)
  await page.getByRole('button', { name: `Preview ${sent.note}` }).click()
  await page.getByText(sent.words).first().waitFor()
  await page.keyboard.press('Escape')
  await save(page, `Download ${sent.note}`)
  await save(page, `Download folder ${sent.inner}`)
  // For what is saved like this, Chromium asks the server and not the page's worker.
  const around = page.getByRole('link', { name: `Download folder ${sent.inner}` })
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    around.click({ modifiers: ['Alt'] }),
  ])
  expect((await saved.failure()) === null).toBe(sent === plain)
  await page.goBack()
  const film = await save(page, `Download ${sent.film}`)
  expect(film.sha256).toBe(await hashFile(join(journey.folder, sent.folder, sent.film)))
  await save(page, 'Download all')
  await leave()
}

const save = (page: Page, name: string) => download(page, page.getByRole('link', { name }))

/** Waits for all that the shares set off. */
async function expectTold(): Promise<void> {
  await smtp.waitForMessages(2, { to: member.person.email, timeoutMs: 60_000 })
  await smtp.waitForMessages(2, { to: recipient, timeoutMs: 60_000 })
  const told = ['share.completed', 'share.opened', 'share.downloaded']
  for (const { link } of [plain, secret]) {
    const data = { description: 'Looked through' }
    expect((await admin.context.request.patch(`/api/shares/${link}`, { data })).ok()).toBe(true)
    await vi.waitFor(async () => {
      const bodies = receiver.told.map(({ body }) => body)
      const types = bodies.filter(({ data }) => data['shareId'] === link).map(({ type }) => type)
      expect(types).toEqual(expect.arrayContaining([...told, ...told]))
      expect(await readAudit(admin)).toContain(link)
    }, 30_000)
  }
}

async function readAudit({ context }: Visitor): Promise<string> {
  const [list, exported] = await Promise.all([
    context.request.get('/api/admin/audit?limit=200'),
    context.request.get('/api/admin/audit/export'),
  ])
  return (await list.text()) + (await exported.text())
}

function needlesOf(sent: Sent): Needle[] {
  const { folder, inner, note, words, book, film, type, bytes, password } = sent
  return [
    needle('folder', folder),
    needle('inner folder', inner),
    needle('note', note),
    needle('book', book),
    needle('film', film),
    needle('words', words),
    needle('beginning of the film', bytes.subarray(0, 24)),
    needle('middle of the film', bytes.subarray(2_000_000, 2_000_024)),
    needle('password', password),
    needle('type of the film', type),
    needle('SHA-256 of the film', createHash('sha256').update(bytes).digest()),
    needle('CRC-32 of the film', writePrefixChecksum(crc32(bytes))),
  ]
}

/** All that opens it, or a part of it. */
async function keysOf(link: string): Promise<Needle[]> {
  const shareKey = keyOfLink(link)?.shareKey
  if (!shareKey) throw new Error(`no key in ${link}`)
  const { openingKey, gate } = await lockWithPassword(shareKey, secret.password)
  const { contentKey } = await readManifest(openingKey, gate)
  return [
    needle('share key', shareKey),
    needle('opening key', openingKey),
    needle('content key', contentKey),
  ]
}

async function readManifest(openingKey: Uint8Array<ArrayBuffer>, gate: string): Promise<Manifest> {
  const visitor = createClient(journey.floe.url)
  await openShare(visitor, secret.link, gate)
  const { body } = await visitor.send('GET', `/api/shares/${secret.link}`)
  const { files } = body as { files: { id: string; name: string }[] }
  const id = files.find(({ name }) => name === 'manifest')?.id
  const { bytes } = await visitor.send('GET', `/api/shares/${secret.link}/files/${id}`)
  return decryptManifest(openingKey, new Uint8Array(bytes))
}

/** Every row of every table, as text. */
async function readTables(): Promise<Hay[]> {
  const tables = `select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`
  return withDataDirectory(journey.floe.dataDirectory, async (url) => {
    const found: Hay[] = []
    for (const { name } of await queryDatabase(url, tables)) {
      const rows = await queryDatabase(
        url,
        `select entry::text as text, to_json(entry)::text as json from ${String(name)} as entry`,
      )
      const text = rows.map((row) => `${String(row['text'])}\n${String(row['json'])}`).join('\n')
      found.push({ where: String(name), bytes: Buffer.from(text) })
    }
    return found
  })
}

async function readMetrics(): Promise<Hay[]> {
  const ports = journey.floe.arrangement === 'embedded' ? metricsPorts.slice(0, 1) : metricsPorts
  const read = ports.map(async (port) => {
    const response = await fetch(`http://127.0.0.1:${port}/metrics`)
    return { where: `metrics of ${port}`, bytes: Buffer.from(await response.arrayBuffer()) }
  })
  return Promise.all(read)
}

const all = async (where: string, ...texts: string[]): Promise<Hay[]> => [
  { where, bytes: Buffer.from(texts.join('\n')) },
]

const links = ['plain-share', 'encrypted-share']

/** Where is looked, how, and what of the plain share, or of both, has to be found there. */
const places: [string, () => Promise<Hay[]>, string[], string[]][] = [
  [
    'what is stored',
    () => readFolder(journey.objectsDirectory),
    ['words', 'beginning of the film', 'middle of the film'],
    [],
  ],
  ['the tables', readTables, ['folder', 'inner folder', 'note', 'book', 'film'], links],
  [
    'the files of database and queues',
    async () => {
      const { arrangement, dataDirectory } = journey.floe
      await queryDataDirectory(dataDirectory, 'checkpoint')
      const stack = await readFolder(dataDirectory)
      const isOfRedis = ({ where }: Hay) => where.includes('appendonlydir')
      expect(stack.some(isOfRedis)).toBe(arrangement === 'split')
      return stack
    },
    ['folder', 'inner folder', 'note', 'book', 'film'],
    links,
  ],
  ['the log', () => all('log', Buffer.concat(printed).toString()), [], links],
  ['the metrics', readMetrics, [], ['route="/api/shares/:id"']],
  ['the audit log', async () => all('audit log', await readAudit(admin)), [], links],
  [
    'the mails',
    () => all('mails', ...smtp.messages.flatMap(({ source, html, text }) => [source, html, text])),
    [],
    links,
  ],
  [
    'what webhooks are told',
    () => all('webhooks', JSON.stringify(receiver.told.map(({ headers, raw }) => [headers, raw]))),
    [],
    links,
  ],
  [
    'what browsers send, with addresses and referrers',
    async () => [{ where: 'wire', bytes: wire.heard() }],
    [
      ...['folder', 'inner folder', 'note', 'book', 'film', 'words', 'password'],
      ...['beginning of the film', 'middle of the film', 'type of the film'],
    ],
    links,
  ],
]

test('the search finds what stands between anything else, however it is written', () => {
  const text = 'süß 世界.txt'
  const sought = Buffer.from(text)
  const written = [
    ...['ab', 'abc', 'abcd'].map((before) => Buffer.from(`${before}${text}.`).toString('base64')),
    Buffer.from(`?${text}?`).toString('base64url'),
    ...[sought.toString('hex'), sought.toString('hex').toUpperCase(), encodeURIComponent(text)],
    new URLSearchParams({ folder: text }).toString(),
    String.raw`"s\u00fc\u00df \u4e16\u754c.txt"`,
  ].map((one) => Buffer.from(`<${one}>`))
  for (const bytes of [...written, sought, Buffer.from(text, 'utf16le')]) {
    expect(find([needle('name', text)], [{ where: 'here', bytes }])).toEqual(['name (here)'])
  }
})

test.each(places)(
  '%s: has what a plain share leaves there, and nothing of an encrypted one',
  async (_, look, ofPlain, ofBoth) => {
    const stack = await look()
    const found = find([...needles.plain, ...ofBoth.map((text) => needle(text, text))], stack)
    for (const what of [...ofPlain, ...ofBoth]) {
      expect(found).toContainEqual(expect.stringMatching(what))
    }
    expect(find(needles.secret, stack)).toEqual([])
  },
)
