import { randomUUID } from 'node:crypto'
import type { RouteName } from '@floe/contracts'
import type { SmtpCatcher } from '@floe/testing'
import { expect } from 'vitest'
import { newAccount, signUp } from '../world/accounts.ts'
import { type Client, createClient } from '../world/http-client.ts'
import { newShareId } from '../world/shares.ts'
import { totpCode } from '../world/totp.ts'
import type { PlannedCall, Role } from './planned-calls.ts'
import type { WireResponse } from './send.ts'
import {
  learnAccount,
  makeSpare,
  newestResetToken,
  readObject,
  signUpAdmin,
  type Spare,
} from './spare-account.ts'
import {
  type Clients,
  mendThings,
  SHARE_PASSWORD,
  type ShareThing,
  type Thing,
  type Things,
} from './things.ts'
import type { LookUp } from './wire-requests.ts'

/**
 * What one line of calls has to itself: its accounts, its shares, its uploads. Calls of one lane
 * follow one another, so that each knows what those before it have done.
 */
export interface Lane {
  /** What is needed for this call, made again where it is gone. */
  prepare(call: PlannedCall): Promise<{ cookie: string; lookUp: LookUp }>
  /** Draws conclusions from how it went. */
  learn(call: PlannedCall, sent: Buffer | null, response: WireResponse): Promise<void>
}

export interface LaneOptions {
  url: string
  /** Whom no call is about, so that it stays. */
  root: Client
  catcher: SmtpCatcher
  restoreSettings: () => Promise<void>
}

/** They change or end the account or session they come from. */
const accountRoutes: ReadonlySet<RouteName> = new Set([
  ...(['signIn', 'signInTotp', 'signOut', 'renewToken', 'requestPasswordReset'] as const),
  ...(['resetPassword', 'changePassword', 'enableTotp', 'verifyTotp', 'disableTotp'] as const),
  ...(['createRecoveryCodes', 'listSessions', 'endSession', 'endSessions'] as const),
  ...(['beginPasskey', 'removePasskey'] as const),
  ...(['updateOwnUser', 'deleteOwnUser', 'unlinkSocialAccount'] as const),
])

const endings: ReadonlySet<RouteName> = new Set([
  ...(['signOut', 'endSession', 'endSessions', 'deleteOwnUser', 'resetPassword'] as const),
])

const CALLS_BETWEEN_LOOKS = 100

/** Who calls, and what they have. */
interface Home {
  clients: Clients
  things: Things
  victimId: string
  /** Of the last token that was made. */
  tokenId: string
  webhookId: string
}

async function createHome(options: LaneOptions): Promise<Home> {
  const { url, root } = options
  const home: Home = {
    clients: {
      visitor: createClient(url),
      user: await signUp({ url }),
      admin: (await signUpAdmin(options)).client,
      sender: createClient(url),
    },
    things: { reverse: [], shares: [], uploads: [] },
    victimId: await makeVictim(root),
    tokenId: randomUUID(),
    webhookId: randomUUID(),
  }
  await mendThings(home.things, home.clients, () => true)
  return home
}

export async function createLane(options: LaneOptions): Promise<Lane> {
  const { root, catcher } = options
  let home = await createHome(options)
  const spares = new Map<Role, Spare>()
  let spareCount = 0
  let calls = 0

  async function spareOf(role: Role): Promise<Spare> {
    const found = spares.get(role)
    if (found) return found
    const made = await makeSpare(options, { isAdmin: role === 'admin', kind: spareCount })
    spareCount += 1
    spares.set(role, made)
    return made
  }

  /** Whatever calls may have made of it: a home that cannot be mended is left for another one. */
  async function mendHome(isSpent: (thing: Thing) => boolean): Promise<void> {
    try {
      await mendAccounts(home.clients, options)
      await mendThings(home.things, home.clients, isSpent)
    } catch {
      home = await createHome(options)
    }
  }

  return {
    prepare: async (call) => {
      calls += 1
      if (calls % CALLS_BETWEEN_LOOKS === 0) {
        await mendHome(() => true)
      }
      const role = call.role === 'admin' ? 'admin' : 'user'
      const spare = accountRoutes.has(call.route) ? await spareOf(role) : undefined
      const isSignedIn = call.role === 'user' || call.role === 'admin'
      const client = spare && isSignedIn ? spare.client : home.clients[call.role]
      const path = call.route === 'renewToken' ? '/api/auth/token' : '/'
      const cookie = withoutStale(client.cookies.header(path), home.things.shares)
      return { cookie, lookUp: lookUpIn(home, catcher, call, spare) }
    },
    learn: async (call, sent, response) => {
      const role = call.role === 'admin' ? 'admin' : 'user'
      const isSuccess = response.status < 400
      const spare = accountRoutes.has(call.route) ? spares.get(role) : undefined
      if (spare && isOver(spare, { call, sent, response })) spares.delete(role)
      if (!isSuccess) return
      if (call.route === 'updateConfig' || call.route === 'finishSetup') {
        await options.restoreSettings()
      } else if (call.route === 'deleteUser' || call.route === 'updateUser') {
        home.victimId = await makeVictim(root)
      } else if (call.route === 'createToken') {
        home.tokenId = String(readObject(response.bytes)['id'])
      } else if (call.route === 'createWebhook') {
        home.webhookId = String(readObject(response.bytes)['id'])
      } else if (spending.has(call.route)) {
        const touched: unknown[] = [
          choose(home.things.shares, call),
          choose(home.things.uploads, call),
          choose(home.things.reverse, call),
        ]
        await mendHome((thing) => touched.includes(thing))
      }
    },
  }
}

/** Own things first, and one of the others' now and then. */
function choose<T extends Thing>(things: readonly T[], { role, pick }: PlannedCall): T {
  const own = things.filter(({ owner }) => owner === role)
  const from = own.length > 0 && pick % 10 < 7 ? own : things
  const chosen = from[Math.floor(pick / 10) % from.length]
  if (!chosen) throw new Error('there is nothing to choose from')
  return chosen
}

/** Values for the references of a call, from what the lane has when they are asked for. */
function lookUpIn(
  { clients, things, victimId, tokenId, webhookId }: Home,
  catcher: SmtpCatcher,
  call: PlannedCall,
  spare: Spare | undefined,
): LookUp {
  const { reverse, shares, uploads } = things
  const share = () => choose(shares, call)
  const openShares = () => shares.filter(({ isOpen }) => isOpen)
  const upload = () => choose(uploads, call)
  const values: Record<string, () => string | number> = {
    shareId: () => share().id,
    openShareId: () => choose(openShares(), call).id,
    fileId: () => share().fileIds[call.pick % 2] ?? share().fileIds[0] ?? '',
    uploadId: () => upload().uploadId,
    offset: () => upload().offset(),
    reverseId: () => choose(reverse, call).id,
    reverseToken: () => choose(reverse, call).token,
    ownReverseToken: () => clients.sender.cookies.get('reverse_share_token') ?? '',
    sharePassword: () => SHARE_PASSWORD,
    newShareId,
    newEmail: () => newAccount().email,
    newUsername: () => newAccount().username,
    smtpPort: () => catcher.port,
    userId: () => victimId,
    tokenId: () => tokenId,
    webhookId: () => webhookId,
    sessionId: () => spare?.sessionId ?? '',
    ownEmail: () => spare?.account.email ?? newAccount().email,
    ownUsername: () => spare?.account.username ?? '',
    ownPassword: () => spare?.account.password ?? '',
    totpCode: () => (spare?.totpSecret ? totpCode(spare.totpSecret, call.pick % 2) : '123456'),
    loginToken: () => spare?.loginToken ?? 'A'.repeat(43),
    resetToken: () => newestResetToken(catcher, spare?.account.email) ?? 'A'.repeat(43),
  }
  return (name) => {
    const value = values[name]
    if (!value) throw new Error(`nothing is called ${name}`)
    return value()
  }
}

interface Outcome {
  call: PlannedCall
  sent: Buffer | null
  response: WireResponse
}

/** Whether calls can no longer come from this account, or not tell what they should. */
function isOver(spare: Spare, { call, sent, response }: Outcome): boolean {
  const isOwn = call.role === 'user' || call.role === 'admin'
  if (response.status === 429) return true
  // Its session has ended, unless the call came without it.
  const isRefused = response.status === 401 || response.headers['x-error-code'] === 'forbidden'
  if (isRefused) return isOwn && call.faults.every(({ kind }) => kind !== 'cookie')
  if (response.status >= 400) return false
  if (endings.has(call.route)) return isOwn || call.route === 'resetPassword'
  return !learnAccount(spare, call, sent, response)
}

/** A share that was made again leaves its cookies behind: there would be ever more of them. */
function withoutStale(header: string, shares: readonly ShareThing[]): string {
  return header
    .split('; ')
    .filter((pair) => !pair.startsWith('share_') || shares.some(({ id }) => pair.includes(id)))
    .join('; ')
}

const spending: ReadonlySet<RouteName> = new Set([
  ...(['deleteShare', 'completeShare', 'reopenShare', 'discardEdit', 'updateShare'] as const),
  ...(['deleteFile', 'terminateUpload', 'appendToUpload', 'overrideUploadMethod'] as const),
  ...(['deleteReverseShare', 'updateReverseShare'] as const),
])

async function mendAccounts(clients: Clients, options: LaneOptions): Promise<void> {
  const { url } = options
  const isSignedIn = async (role: Role) => {
    const { text } = await clients[role].send('GET', '/api/users/me')
    return text.includes('"username"') && (role === 'user' || text.includes('"isAdmin":true'))
  }
  if (!(await isSignedIn('user'))) clients.user = await signUp({ url })
  if (!(await isSignedIn('admin'))) clients.admin = (await signUpAdmin(options)).client
}

async function makeVictim(root: Client): Promise<string> {
  const created = await root.send('POST', '/api/users', { json: newAccount() })
  expect(created.status, created.text).toBe(201)
  return (created.body as { id: string }).id
}
