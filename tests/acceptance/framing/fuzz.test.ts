import {
  createRandom,
  findReplicas,
  type RecordingUpstream,
  startRecordingUpstream,
} from '@floe/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { floeOf } from '../world/arrangements.ts'
import { type Replica, startGatewayTo } from '../world/replicas.ts'
import { type Case, type Marks, randomCase } from './random-requests.ts'
import { type Conversation, converse } from './raw-client.ts'
import { type Reading, readRequests, type ReadRequest } from './reference-reader.ts'

// The long run: `FRAMING_CASES=100000 npx vitest run --project acceptance tests/acceptance/framing/fuzz.test.ts`
const seed = Number(process.env['SEED'] ?? 20_261_123)
const cases = Number(process.env['FRAMING_CASES'] ?? 2_000)
const MOST_SHOWN = 5
const LANES = 8
const HOUR_MS = 3_600_000

/** Requests that came from one client, by the names that the test knows them by. */
interface Names {
  whole: string[]
  /** One more may have been, ahead of its body. */
  allowed: string[]
}

interface Outcome {
  each: Case
  /** Nothing in it is to be refused. */
  isSound: boolean
  conversation: Conversation
  names: Names & { mustArrive: string[] }
}

type Difference = { what: string; sent: string; seen: unknown; expected: unknown }

function namesIn({ requests, begun }: Reading, nameOf: (request: ReadRequest) => string): Names {
  const whole = requests.map(nameOf)
  return { whole, allowed: begun === null ? whole : [...whole, nameOf(begun)] }
}

async function play(
  port: number,
  each: Case,
  nameOf: (request: ReadRequest) => string,
): Promise<Outcome> {
  const reading = readRequests(each.bytes)
  const conversation = await converse({
    port,
    bytes: each.bytes,
    splits: each.splits,
    methods: reading.requests.map(({ method }) => method),
    responses: reading.requests.length + (reading.end === 'refused' ? 1 : 0),
  })
  const names = namesIn(reading, nameOf)
  // A server may end the connection of who asked for leave to send a body, and got none (RFC 9110 §10.1.1).
  const { responses } = conversation
  const hasEnded = responses.at(-1)?.headers.get('connection') === 'close'
  const whole = hasEnded ? names.whole.slice(0, responses.length) : names.whole
  const isSound = !each.isDamaged && reading.end === 'clean'
  return { each, isSound, conversation, names: { ...names, mustArrive: isSound ? whole : [] } }
}

/** Responses are those to the requests that were sent, and where nothing is wrong all, in order. */
function compareResponses(outcome: Outcome, seen: readonly string[]): Difference[] {
  const { isSound, conversation, names } = outcome
  const isAsSent = isSound
    ? conversation.garbage === null && seen.join() === names.mustArrive.join()
    : seen.every((name) => names.allowed.includes(name))
  return isAsSent && conversation.end !== 'late'
    ? []
    : [differs('responses', outcome, { ...conversation, seen })]
}

function differs(what: string, { each, names }: Outcome, seen: unknown): Difference {
  return { what, sent: each.bytes.toString('latin1'), seen, expected: names }
}

/** Some at a time, as clients come. */
async function search(count: number, look: () => Promise<Difference[]>) {
  const differences: Difference[] = []
  let begun = 0
  const lane = async () => {
    for (; begun < count && differences.length < MOST_SHOWN;) {
      begun += 1
      differences.push(...(await look()))
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  expect(differences, `SEED=${seed}`).toEqual([])
}

/** How often each target has arrived as a whole request. */
function countArrivals({ requests }: RecordingUpstream): () => ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  let known = 0
  return () => {
    for (; known < requests.length; known += 1) {
      const { target = '', body = null } = requests[known] ?? {}
      if (body !== null) counts.set(target, (counts.get(target) ?? 0) + 1)
    }
    return counts
  }
}

let upstream: RecordingUpstream
let gateway: Replica
beforeAll(async () => {
  upstream = await startRecordingUpstream()
  gateway = await startGatewayTo(floeOf('split'), upstream.url)
})
afterAll(async () => {
  await gateway?.stop()
  await upstream?.close()
})

test.each([
  ['JSON', '/api/users'],
  ['bytes', '/api/shares/a/files'],
])(
  'random requests arrive behind the gateway as they were sent: %s',
  async (_way, path) => {
    const random = createRandom(seed)
    const port = Number(new URL(gateway.url).port)
    let count = 0
    const marks: Marks = {
      next: () => ({ target: `${path}/${(count += 1)}`, header: 'X-Own: a' }),
      smuggled: `POST ${path}/smuggled HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n`,
    }
    // In absolute form, a gateway passes on the path (RFC 9112 §3.2.2).
    const nameOf = ({ target }: ReadRequest) => target.replace(/^http:\/\/[^/]*/, '')
    const arrivals = countArrivals(upstream)
    /** What may arrive, by how often. */
    const sent = new Map<string, number>()
    await search(cases / 4, async () => {
      const outcome = await play(port, randomCase(random, marks), nameOf)
      const { conversation, names } = outcome
      for (const name of names.whole) sent.set(name, (sent.get(name) ?? 0) + 1)
      const missing = names.mustArrive.filter((name) => !arrivals().has(name))
      const seen = conversation.responses.flatMap(({ headers }) => headers.get('x-target') ?? [])
      return [
        ...(missing.length === 0 ? [] : [differs('requests', outcome, { missing })]),
        ...compareResponses(outcome, seen),
      ]
    })
    expect(upstream.garbage).toEqual([])
    const unsent = [...arrivals()].filter(([name, times]) => times > (sent.get(name) ?? 0))
    expect(unsent.filter(([name]) => name.startsWith(path))).toEqual([])
  },
  HOUR_MS,
)

test.each(['auth', 'file'])(
  'random requests are taken as they were sent by the service %s',
  async (service) => {
    const random = createRandom(seed + 1)
    const [replica] = findReplicas(floeOf('split').dataDirectory, service)
    const port = Number(new URL(replica?.url ?? '').port)
    let count = 0
    const marks: Marks = {
      next: () => ({ target: '/api/nothing', header: `X-Request-Id: own-request-${(count += 1)}` }),
      smuggled:
        'GET /api/nothing HTTP/1.1\r\nHost: a\r\nX-Request-Id: own-request-smuggled\r\n\r\n',
    }
    const nameOf = ({ headers }: ReadRequest) =>
      headers.find(([name]) => name === 'x-request-id')?.[1] ?? ''
    await search(cases / 4, async () => {
      const outcome = await play(port, randomCase(random, marks), nameOf)
      const seen = outcome.conversation.responses.map(
        ({ headers }) => headers.get('x-request-id') ?? '',
      )
      return compareResponses(
        outcome,
        seen.filter((name) => name.startsWith('own-request-')),
      )
    })
  },
  HOUR_MS,
)
