import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import type { Bench, Row } from '../bench.ts'
import { type Floe, startFloe, waitUntilQuiet } from '../floe/floe.ts'
import { type Session, signUp } from '../floe/session.ts'
import { limitLine, type Line } from '../harness/report.ts'
import { median, medianError } from '../harness/statistics.ts'

const PAIRS = 50
/** Refusals after too many failures would hide the work that is compared. */
const ATTEMPTS_PER_ACCOUNT = 5

interface Attempt {
  path: string
  body?: object
  cookie?: string
}

/** Milliseconds to the end of the response, from a client address of its own. */
function timeAttempt(port: number, { path, body, cookie }: Attempt, expected: number) {
  const [, second = 0, third = 0, fourth = 0] = randomBytes(4)
  const startedAt = performance.now()
  return new Promise<number>((resolve, reject) => {
    const req = request({
      host: '127.0.0.1',
      port,
      path,
      method: 'POST',
      // All of 127.0.0.0/8 is this machine; elsewhere the limits need another way round.
      ...(process.platform === 'linux' && {
        localAddress: `127.${second}.${third}.${Math.max(1, fourth)}`,
      }),
      headers: { 'Content-Type': 'application/json', ...(cookie && { cookie }) },
    })
    req.on('error', reject)
    req.on('response', (res) => {
      res.resume()
      res.on('end', () => {
        if (res.statusCode === expected) resolve(performance.now() - startedAt)
        else reject(new Error(`${path} returned ${res.statusCode}`))
      })
    })
    req.end(body && JSON.stringify(body))
  })
}

function unknownEmail(): string {
  return `nobody_${randomBytes(4).toString('hex')}@example.com`
}

/** A secret that time would tell: attempts in alternation, medians compared with their noise. */
async function compareTimes(
  what: string,
  known: () => Promise<number>,
  unknown: () => Promise<number>,
): Promise<Line> {
  const knownMs: number[] = []
  const unknownMs: number[] = []
  for (let pair = 0; pair < PAIRS; pair++) {
    // Neither kind always comes first: whatever a pair warms up favours both alike.
    if (pair % 2 === 0) knownMs.push(await known())
    unknownMs.push(await unknown())
    if (pair % 2 === 1) knownMs.push(await known())
  }
  // Two medians of equal distributions differ by less than this in 95 of 100 runs.
  const noiseMs = 1.96 * Math.hypot(medianError(knownMs), medianError(unknownMs))
  return limitLine({
    what: `${what}: known and unknown accounts apart, medians of ${PAIRS}`,
    values: [Math.abs(median(knownMs) - median(unknownMs))],
    unit: 'ms',
    digits: 3,
    references: [
      { name: 'known', values: knownMs },
      { name: 'unknown', values: unknownMs },
    ],
    atMost: Number(noiseMs.toFixed(3)),
  })
}

async function createAccounts(floe: Floe): Promise<Session[]> {
  const accounts: Session[] = []
  for (let i = 0; i < PAIRS / ATTEMPTS_PER_ACCOUNT; i++) accounts.push(await signUp(floe))
  return accounts
}

async function measureIdentity({ scratch }: Bench): Promise<Line[]> {
  const floe = await startFloe(scratch)
  try {
    const administrator = await signUp(floe)
    const accounts = await createAccounts(floe)
    await waitUntilQuiet(floe)
    const signIn = (email: string) =>
      timeAttempt(
        floe.port,
        { path: '/api/auth/signIn', body: { email, password: 'not this one' } },
        401,
      )
    const reset = (email: string) =>
      timeAttempt(floe.port, { path: `/api/auth/resetPassword/${email}` }, 202)
    let turn = 0
    const nextKnown = () => accounts[turn++ % accounts.length]?.email ?? ''
    await signIn(unknownEmail())
    await reset(unknownEmail())
    const lines = [
      await compareTimes(
        'Wrong password',
        () => signIn(nextKnown()),
        () => signIn(unknownEmail()),
      ),
      await compareTimes(
        'Password reset',
        () => reset(nextKnown()),
        () => reset(unknownEmail()),
      ),
    ]
    return [...lines, await measureMailOutage(floe, administrator, accounts)]
  } finally {
    await floe.stop()
  }
}

/** Requests that cause a message while nothing listens where the mail server should be. */
async function measureMailOutage(
  floe: Floe,
  administrator: Session,
  accounts: readonly Session[],
): Promise<Line> {
  await administrator.changeSettings({
    'smtp.enabled': true,
    'smtp.host': '127.0.0.1',
    'smtp.port': 1,
    'smtp.email': 'floe@example.com',
  })
  const values: number[] = []
  for (const { email } of accounts) {
    values.push(await timeAttempt(floe.port, { path: `/api/auth/resetPassword/${email}` }, 202))
  }
  return limitLine({
    what: 'A request that causes a message, mail server down: slowest',
    values: [Math.max(...values)],
    unit: 'ms',
    digits: 1,
    atMost: 200,
  })
}

export const identityRow: Row = { name: 'identity', measure: measureIdentity }
