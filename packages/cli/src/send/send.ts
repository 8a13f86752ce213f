import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import {
  createRequestLimit,
  fitsInBatch,
  type FoundLimit,
  readFoundLimit,
  type RequestLimit,
} from '@floe/contracts'
import { FloeError } from '@floe/client'
import type { ManifestFile } from '@floe/encryption'
import { z } from 'zod'
import { CliError, exitCodes } from '../failures.ts'
import { createProgress, type Progress } from '../progress.ts'
import type { Server } from '../server.ts'
import type { Store } from '../settings.ts'
import type { Terminal } from '../terminal.ts'
import { type Draft, findDraft, readDraft } from './drafts.ts'
import {
  beginEncryptedPipe,
  beginEncryptedShare,
  type EncryptedShare,
  encryptionStateSchema,
  type Gate,
  isLockedWith,
  type LinkOf,
  manifestFile,
  resumeEncryptedShare,
} from './encrypted-share.ts'
import type { LocalFile } from './local-files.ts'
import { type OutgoingFile, plainFile } from './outgoing-file.ts'
import { sayWaiting } from './patience.ts'
import { sendFile } from './send-file.ts'
import { sendPipe } from './send-pipe.ts'
import { type RefusedFile, sendSmallFiles } from './send-small-files.ts'
import {
  beginShare,
  checkTerms,
  completeShare,
  isShared,
  readSettings,
  type Receipt,
  type ShareTerms,
  type SiteSettings,
} from './share-terms.ts'
import { createTus } from './tus.ts'

/** Large files under way at once: more of them share the same line. */
const LARGE_FILES_AT_ONCE = 3

const STATE = 'sends'
export const sendStateSchema = z.object({
  /** Of these very files, see `keyOf`. */
  key: z.string(),
  server: z.string(),
  shareId: z.string(),
  /** Absolute, as they were given. */
  paths: z.array(z.string()),
  expiration: z.string().optional(),
  encryption: encryptionStateSchema.optional(),
})
export type SendState = z.output<typeof sendStateSchema>

export interface SendContext {
  server: Server
  store: Store
  terminal: Terminal
}

export interface Sent {
  id: string
  url: string
  expiration: string
  files: { name: string; size: number }[]
}

/** What was begun and is not shared yet. */
export function listSends({ store }: Pick<SendContext, 'store'>): Promise<SendState[]> {
  return store.listState(STATE, sendStateSchema)
}

export function forgetSend(
  { store }: Pick<SendContext, 'store'>,
  { key }: Pick<SendState, 'key'>,
): Promise<void> {
  return store.removeState(STATE, key)
}

/** Sends files from where an earlier run, a browser or another machine has left them. */
export async function sendFiles(context: SendContext, sent: FilesToSend): Promise<Sent> {
  const { paths, files, terms: wanted } = sent
  const { server, store } = context
  const key = keyOf(server, files, wanted)
  const settings = await readSettings(context)
  checkTerms(wanted, settings)
  const known = await readKnown(store, key, wanted)
  const encrypted = wanted.encrypted
    ? await encrypt(context, { files, known, settings, password: wanted.password })
    : null
  const terms = withGate(wanted, encrypted)
  const travelling = encrypted?.files ?? files.map(plainFile)
  const isNew = terms.id !== undefined
  const found = await findBegun(server, { known, files: travelling, isNew, encrypted })
  const draft = found ?? (await begin(context, terms, settings))
  const expiration = terms.expiration ?? known?.expiration
  const { address } = server
  const note = { key, server: address, shareId: draft.shareId, paths, expiration }
  await store.writeState(STATE, key, { ...note, ...(encrypted && { encryption: encrypted.state }) })
  const sending = { draft, local: files, files: travelling, encrypted, settings }
  try {
    return await finish(context, { key, ...sending, terms: { ...terms, expiration } })
  } catch (error) {
    // Another program that sent the same has shared it meanwhile, on terms of its own.
    const isRefused = error instanceof FloeError
    if (isRefused && (await isShared(server, draft.shareId))) return sendFiles(context, sent)
    throw error
  }
}

interface FilesToSend {
  paths: string[]
  files: readonly LocalFile[]
  terms: ShareTerms
}

/** What an earlier run has begun, unless another password is to open it. */
async function readKnown(
  store: Store,
  key: string,
  { password }: ShareTerms,
): Promise<SendState | null> {
  const known = await store.readState(STATE, key, sendStateSchema)
  if (!known?.encryption) return known
  return (await isLockedWith(known.encryption, password)) ? known : null
}

/** As the server is to know them, which learns no password of an encrypted share. */
function withGate(
  { password, ...terms }: ShareTerms,
  encrypted: { gate: Gate } | null,
): ShareTerms {
  const told = encrypted ? encrypted.gate : password
  return { ...terms, ...(told !== undefined && { password: told }) }
}

interface Encrypting {
  files: readonly LocalFile[]
  known: SendState | null
  settings: SiteSettings
  password: string | undefined
}

/** As an earlier run has begun it, or anew. */
async function encrypt(
  { store, server }: SendContext,
  { files, known, settings, password }: Encrypting,
): Promise<EncryptedShare> {
  if (known?.encryption) return resumeEncryptedShare(files, known.encryption)
  const mostRequestBytes = await knownLimit(store, server, settings)
  return beginEncryptedShare(files, { mostRequestBytes, password })
}

/**
 * Goes on with what was begun, as it was begun. Nothing new is begun: who set a password did so for
 * these very files. Throws a `CliError` where they have changed, or the server has forgotten them.
 */
export async function resumeSend(
  context: SendContext,
  { key, shareId, paths, expiration, encryption }: SendState,
  files: readonly LocalFile[],
): Promise<Sent> {
  const { server, store } = context
  const isSame = keyOf(server, files, { encrypted: encryption !== undefined }) === key
  const encrypted = isSame && encryption ? await resumeEncryptedShare(files, encryption) : null
  const travelling = encrypted?.files ?? files.map(plainFile)
  const draft = isSame ? await readDraft(server, shareId, travelling) : null
  if (draft === null) {
    await store.removeState(STATE, key)
    const why = isSame ? 'the server no longer keeps what was sent' : 'the files have changed'
    throw new CliError(`${paths.join(' ')}: ${why}. Send them again.`, exitCodes.notFound)
  }
  const settings = await readSettings(context)
  const sending = { draft, local: files, files: travelling, encrypted, settings }
  return finish(context, { key, ...sending, terms: { expiration } })
}

interface Finishing extends Sending {
  key: string
  local: readonly LocalFile[]
  encrypted: EncryptedShare | null
  terms: ShareTerms
}

async function finish(context: SendContext, { key, terms, ...sending }: Finishing): Promise<Sent> {
  const { server, store } = context
  const { draft, encrypted, settings } = sending
  await sendAll(context, sending)
  if (encrypted) await sendManifest(context, sending, encrypted)
  const receipt = await completeShare(context, draft.shareId, {
    ...terms,
    expiration: terms.expiration ?? settings.defaultExpiration,
  })
  await store.removeState(STATE, key)
  return describeSent(server, { ...receipt, encrypted }, sending.local)
}

/** Behind all files, as what it names is whole. */
async function sendManifest(
  context: SendContext,
  { draft, settings }: Sending,
  encrypted: EncryptedShare,
): Promise<void> {
  const described: ManifestFile[] = []
  // What this run did not send itself is read now: one after another, as they are large.
  for (const file of encrypted.files) described.push(await file.describe())
  const files = [await manifestFile(encrypted, described)]
  await sendAll(context, { draft, files, settings })
}

interface FindBegunOptions {
  known: SendState | null
  files: readonly OutgoingFile[]
  isNew: boolean
  encrypted: EncryptedShare | null
}

/** By this program, or else by another one. A share that is to have a certain link is a new one. */
async function findBegun(
  server: Server,
  { known, files, isNew, encrypted }: FindBegunOptions,
): Promise<Draft | null> {
  const own = known && (await readDraft(server, known.shareId, files))
  // Nobody else can have begun what only we have the key of.
  if (own || isNew || encrypted) return own
  return findDraft(server, createTus(server), files)
}

async function begin(
  context: SendContext,
  terms: ShareTerms,
  settings: SiteSettings,
): Promise<Draft> {
  const shareId = await beginShare(context, terms, settings)
  return { shareId, arrived: new Set(), begun: new Map() }
}

/** The same files at the same place, unchanged. */
function keyOf(
  { address }: Server,
  files: readonly LocalFile[],
  { encrypted = false }: Pick<ShareTerms, 'encrypted'>,
): string {
  const lines = files.map(({ path, sizeBytes, modifiedMs }) => [path, sizeBytes, modifiedMs])
  return createHash('sha256')
    .update(JSON.stringify([address, lines, ...(encrypted ? ['encrypted'] : [])]))
    .digest('hex')
}

interface Sending {
  draft: Draft
  files: readonly OutgoingFile[]
  settings: SiteSettings
}

async function sendAll(context: SendContext, sending: Sending): Promise<void> {
  const { draft, files, settings } = sending
  const totalBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const progress = createProgress(context.terminal, { verb: 'Sending', totalBytes })
  const missing = files.filter(({ name }) => !draft.arrived.has(name))
  progress.skip(totalBytes - missing.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0))
  try {
    await withLimit(context, settings, (limit) =>
      sendMissing(context, { draft, missing, limit, progress }),
    )
  } finally {
    progress.end()
  }
}

interface Missing {
  draft: Draft
  missing: readonly OutgoingFile[]
  limit: RequestLimit
  progress: Progress
}

async function sendMissing(
  { server, terminal }: SendContext,
  { draft: { shareId, begun }, missing, limit, progress }: Missing,
): Promise<void> {
  const travelsAlone = ({ name, sizeBytes }: OutgoingFile) =>
    begun.has(name) || !fitsInBatch(sizeBytes)
  const large = missing.filter(travelsAlone)
  const tus = createTus(server)
  const hears = { onSent: progress.add, onWait: sayWaiting(terminal) }
  const sendLarge = async () => {
    for (let file = large.shift(); file; file = large.shift()) {
      const where = { tus, limit, shareId, file, begun: begun.get(file.name) }
      await sendFile({ ...where, ...hears, onKept: progress.skip })
    }
  }
  const small = missing.filter((file) => !travelsAlone(file))
  const [refused] = await Promise.all([
    sendSmallFiles({ server, limit, shareId, files: small, ...hears }),
    ...Array.from({ length: LARGE_FILES_AT_ONCE }, sendLarge),
  ])
  refuseRefused(refused)
}

function refuseRefused(refused: readonly RefusedFile[]): void {
  if (refused.length === 0) return
  const lines = refused.map(({ path, error }) => `${path}: ${error}`)
  const count = refused.length === 1 ? '1 file was' : `${refused.length} files were`
  throw new CliError(
    `${count} refused, so nothing is shared.\n${lines.join('\n')}`,
    exitCodes.refused,
  )
}

/** Sends what comes through a pipe as one file. It cannot be sent again, so nothing is remembered. */
export async function sendStream(
  context: SendContext,
  { name, source, terms: wanted }: { name: string; source: NodeJS.ReadStream; terms: ShareTerms },
): Promise<Sent> {
  const { server, terminal } = context
  const settings = await readSettings(context)
  checkTerms(wanted, settings)
  const encrypted = wanted.encrypted
    ? await beginEncryptedPipe({ name, source }, wanted.password)
    : null
  const terms = withGate(wanted, encrypted)
  const shareId = await beginShare(context, terms, settings)
  const travelling = { name: encrypted?.id ?? name, source: encrypted?.source ?? source }
  const progress = createProgress(terminal, { verb: 'Sending', totalBytes: 0 })
  const hears = { onSent: progress.add, onWait: sayWaiting(terminal) }
  const tus = createTus(server)
  const sizeBytes = await withLimit(context, settings, (limit) =>
    sendPipe({ tus, limit, shareId, ...travelling, ...hears }),
  ).finally(progress.end)
  if (encrypted) {
    const draft = { shareId, arrived: new Set<string>(), begun: new Map<string, string>() }
    await sendAll(context, { draft, files: [await encrypted.manifest()], settings })
  }
  const receipt = await completeShare(context, shareId, {
    ...terms,
    expiration: terms.expiration ?? settings.defaultExpiration,
  })
  return describeSent(server, { ...receipt, encrypted }, [{ name: basename(name), sizeBytes }])
}

function describeSent(
  server: Server,
  { id, expiration, encrypted }: Receipt & { encrypted: { linkOf: LinkOf } | null },
  files: readonly Pick<LocalFile, 'name' | 'sizeBytes'>[],
): Sent {
  const named = files.map(({ name, sizeBytes }) => ({ name, size: sizeBytes }))
  const link = server.shareLink(id)
  return { id, url: encrypted?.linkOf(link) ?? link, expiration, files: named }
}

/** What is found out of a proxy on the way while something is sent is known the next time. */
async function withLimit<T>(
  { store, server }: SendContext,
  settings: SiteSettings,
  work: (limit: RequestLimit) => Promise<T>,
): Promise<T> {
  const limit = createRequestLimit(await knownLimit(store, server, settings))
  const firstBytes = limit.bytes()
  try {
    return await work(limit)
  } finally {
    const found: FoundLimit = { bytes: limit.bytes(), foundAt: Date.now() }
    if (found.bytes !== firstBytes) {
      await store.changeConfig((config) => {
        config.requestLimits[server.address] = found
      })
    }
  }
}

async function knownLimit(
  store: Store,
  { address }: Server,
  { chunkBytes }: SiteSettings,
): Promise<number> {
  const { requestLimits } = await store.readConfig()
  const known = readFoundLimit(requestLimits[address], Date.now())
  return Math.min(known, chunkBytes ?? Infinity)
}
