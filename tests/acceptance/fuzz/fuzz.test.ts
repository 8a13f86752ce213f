import { fileURLToPath } from 'node:url'
import { configCatalogue, type Overview, type RouteName } from '@floe/contracts'
import {
  type Arrangement,
  isFullRun,
  type RunningFloe,
  type SmtpCatcher,
  startDiscordServer,
  startFloe,
  startForgingProvider,
  startGithubServer,
  startSmtpCatcher,
} from '@floe/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newAccount, signUp } from '../world/accounts.ts'
import type { Client } from '../world/http-client.ts'
import { changeSettings } from '../world/mail.ts'
import { renew } from '../world/sessions.ts'
import { enrolTotp } from '../world/totp.ts'
import { verify } from '../world/verify.ts'
import { judge } from './judge.ts'
import { createLane, type Lane } from './lane.ts'
import { type PlannedCall, plannedCall, type Role, roles, routeNames } from './planned-calls.ts'
import { asCurl, createSender, type Sender } from './send.ts'
import { writeRequest } from './wire-requests.ts'

/**
 * Requests made from the schemas of every route, right ones and spoilt ones, by everybody who may
 * call. A long run sends half of them to each arrangement. The same seed makes the same requests,
 * ids aside:
 *
 *     FUZZ_CALLS=50000 npx vitest run --project acceptance tests/acceptance/fuzz
 */
const calls = Number(process.env['FUZZ_CALLS'] ?? (isFullRun ? 12_000 : 600))
const seed = Number(process.env['SEED'] ?? 20_261_123)
const repeat = `SEED=${seed} FUZZ_CALLS=${calls}`

/** Each waits for its own responses alone. */
const LANES = 4
const CALLS_PER_DRAW = 250
const ENOUGH_FOR_EVERY_ROUTE = 12_000
const MOST_TOLD = 25
const ERROR_LEVEL = 50

/**
 * Nothing fails so often here that it becomes a failed job, nobody reads what links are sent or asks
 * to be let in, nobody has an authenticator, a code works once, no directory is there, and addresses
 * and bodies with parts of their own are not made up.
 */
const seldomRight: ReadonlySet<RouteName> = new Set([
  'addPasskey',
  'appendResumable',
  'confirmDeleteByLink',
  'confirmEmail',
  'decideDeviceRequest',
  'deleteByLink',
  'disableTotp',
  'getDeviceRequest',
  'inspectResumable',
  'postForm',
  'receiveLogoutToken',
  'redeemDeviceCode',
  'removePasskey',
  'renamePasskey',
  'replayWebhookDelivery',
  'retryJob',
  'signInPasskey',
  'terminateResumable',
  'tryDirectory',
  'uploadBatch',
])

const repository = fileURLToPath(new URL('../../../', import.meta.url))

/** A Floe of its own: settings change under its calls, and its log is read as a whole. */
interface Arena {
  floe: RunningFloe
  sender: Sender
  /** Whom no call is about, so that it stays. */
  root: Client
  catcher: SmtpCatcher
  restoreSettings(): Promise<void>
  output(): string
  close(): Promise<void>
}

async function openArena(arrangement: Arrangement): Promise<Arena> {
  let output = ''
  const catcher = await startSmtpCatcher()
  const openid = await startForgingProvider()
  const providers = {
    github: await startGithubServer(),
    discord: await startDiscordServer(),
    google: openid,
    microsoft: openid,
  }
  const floe = await startFloe({
    arrangement,
    environment: {
      FLOE_SPLIT_LOGS: 'yes',
      TRUSTED_PROXIES: '127.0.0.0/8',
      WEBHOOK_NETWORKS: '127.0.0.1',
      GITHUB_URL: providers.github.url,
      GITHUB_API_URL: providers.github.apiUrl,
      DISCORD_URL: providers.discord.url,
      GOOGLE_URL: openid.url,
      MICROSOFT_URL: openid.url,
    },
    onOutput: (chunk) => (output += chunk.toString()),
  })
  const account = newAccount()
  const root = await signUp(floe, account)
  // What the rules may ask of it before it can restore them.
  await enrolTotp(root, account)
  const sender = createSender(floe.url)
  const settings: Record<string, string | number | boolean> = {
    'share.allowUnauthenticatedShares': true,
    'share.allowAdminAccessAllShares': true,
    'email.enableShareEmailRecipients': true,
    'smtp.enabled': true,
    'smtp.host': catcher.host,
    'smtp.port': catcher.port,
    'smtp.email': 'floe@floe.test',
    ...Object.fromEntries(
      Object.entries(providers).flatMap(([name, { clientId, clientSecret }]) => [
        [`oauth.${name}-enabled`, true],
        [`oauth.${name}-clientId`, clientId],
        [`oauth.${name}-clientSecret`, clientSecret],
      ]),
    ),
  }
  const changes = Object.keys(configCatalogue).map((key) => ({ key, value: settings[key] ?? '' }))
  return {
    floe,
    sender,
    root,
    catcher,
    restoreSettings: () => changeSettings(root, changes),
    output: () => output,
    close: async () => {
      sender.close()
      await floe.stop()
      await Promise.all([catcher.stop(), ...Object.values(providers).map((one) => one.close())])
    },
  }
}

interface Tally {
  findings: string[]
  statuses: Record<Role, Record<number, number>>
  right: Record<Role, Set<RouteName>>
}

function createTally(): Tally {
  const ofRoles = <T>(make: () => T) =>
    Object.fromEntries(roles.map((role) => [role, make()])) as Record<Role, T>
  return { findings: [], statuses: ofRoles(() => ({})), right: ofRoles(() => new Set()) }
}

async function makeCall(
  { floe, sender, catcher }: Arena,
  { lane, call, number, tally }: { lane: Lane; call: PlannedCall; number: number; tally: Tally },
): Promise<void> {
  const place = `call ${number}, ${call.route} by ${call.role}, ${repeat}`
  try {
    const { cookie, lookUp } = await lane.prepare(call)
    const wire = writeRequest(call, { lookUp, smtpPort: catcher.port })
    wire.headers = {
      // Limits by address are met by those who try them, not by who calls after them.
      'X-Forwarded-For': `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
      ...(cookie !== '' && { Cookie: cookie }),
      ...wire.headers,
    }
    const response = await sender.send(wire)
    for (const what of judge({
      ...response,
      wire,
      secretPaths: [floe.dataDirectory, repository],
    })) {
      tally.findings.push(`${what}: ${place}\n  ${asCurl(floe.url, wire)}`)
    }
    const { status } = response
    tally.statuses[call.role][status] = (tally.statuses[call.role][status] ?? 0) + 1
    if (status < 400 && isOfItsRoute(call)) tally.right[call.role].add(call.route)
    await lane.learn(call, wire.body, response)
  } catch (error) {
    tally.findings.push(`${String(error)}: ${place}\n  ${JSON.stringify(call)}`)
  }
}

/** Not, perhaps, with another method or path. */
function isOfItsRoute({ faults }: PlannedCall): boolean {
  return faults.every(({ kind }) => kind !== 'method' && kind !== 'segment')
}

/** The same seed leads each lane the same way. */
async function makeCalls(
  arena: Arena,
  { first, count, tally }: { first: number; count: number; tally: Tally },
): Promise<void> {
  const { floe, root, catcher, restoreSettings } = arena
  const options = { url: floe.url, root, catcher, restoreSettings }
  const lanes = await Promise.all(Array.from({ length: LANES }, () => createLane(options)))
  for (let made = 0; made < count; made += CALLS_PER_DRAW) {
    // Its access would end within a long run.
    await renew(root)
    const drawn = fc
      .sample(plannedCall, {
        seed: seed + first + made,
        numRuns: Math.min(CALLS_PER_DRAW, count - made),
      })
      .map((call, index) => ({ call, number: first + made + index, tally }))
    // Changed settings would spoil what other lanes are making at that moment: those come last.
    const others = drawn.filter(({ call }) => !changesSettings(call))
    await Promise.all(
      lanes.map(async (lane, index) => {
        for (const one of others.filter(({ number }) => number % LANES === index)) {
          await makeCall(arena, { ...one, lane })
        }
      }),
    )
    const [lane] = lanes
    for (const one of drawn.filter(({ call }) => changesSettings(call))) {
      if (lane) await makeCall(arena, { ...one, lane })
    }
  }
}

function changesSettings({ route }: PlannedCall): boolean {
  return route === 'updateConfig' || route === 'finishSetup'
}

function tell(
  { statuses, right }: Tally,
  { count, startedAt }: { count: number; startedAt: number },
): void {
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  console.log(`${count} calls in ${seconds} s (repeat with ${repeat})`)
  for (const role of roles) {
    const counted = Object.entries(statuses[role]).map(([status, count]) => `${count} × ${status}`)
    console.log(
      `${role}: ${right[role].size} of ${routeNames.length} routes went well, ${counted.join(', ')}`,
    )
  }
}

function errorLines(output: string): string[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .filter((line) => (JSON.parse(line) as { level: number }).level >= ERROR_LEVEL)
}

async function failedJobs(root: Client): Promise<unknown> {
  const { status, text, body } = await root.send('GET', '/api/admin/overview')
  expect(status, text).toBe(200)
  return (body as Overview).jobs?.failed
}

/** The one that starts sooner, and in a long run both. */
const arrangements: Arrangement[] =
  calls >= ENOUGH_FOR_EVERY_ROUTE ? ['embedded', 'split'] : ['embedded']

describe('whatever is sent', () => {
  const reached = new Set<RouteName>()

  describe.each(arrangements)('to the %s arrangement', (arrangement) => {
    let arena: Arena
    beforeAll(async () => {
      arena = await openArena(arrangement)
    })
    afterAll(() => arena?.close())

    const count = Math.ceil(calls / arrangements.length)
    const first = arrangements.indexOf(arrangement) * count

    test(
      'gets the response that is told, and damages nothing',
      async () => {
        const { floe, root, restoreSettings, output } = arena
        const tally = createTally()
        await restoreSettings()
        const startedAt = performance.now()
        await makeCalls(arena, { first, count, tally })
        tell(tally, { count, startedAt })
        for (const role of roles) tally.right[role].forEach((name) => reached.add(name))
        expect(tally.findings.slice(0, MOST_TOLD).join('\n\n')).toBe('')
        expect((await root.send('GET', '/api/health/ready')).status).toBe(200)
        expect(await failedJobs(root)).toEqual([])
        expect(errorLines(output())).toEqual([])
        const verdict = await verify(floe.dataDirectory)
        expect(verdict, verdict.lines.join('\n')).toMatchObject({ code: 0, errors: '' })
      },
      120_000 + calls * 60,
    )
  })

  if (calls >= ENOUGH_FOR_EVERY_ROUTE) {
    test('goes well often enough to get behind the checks of every route', () => {
      const missing = routeNames.filter((name) => !reached.has(name) && !seldomRight.has(name))
      expect(missing).toEqual([])
    })
  }
})
