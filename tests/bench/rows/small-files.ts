import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { BATCH_TYPE, encodeManifest } from '@floe/contracts'
import { openDatabase } from '@floe/db'
import type { Bench, Row } from '../bench.ts'
import type { Creation } from '../client/load-client.ts'
import { encodeMetadata } from '../client/tus.ts'
import { databaseUrl, startFloe, waitUntilQuiet, type Floe } from '../floe/floe.ts'
import { signUp, type Session } from '../floe/session.ts'
import { compareLine, limitLine, type Line } from '../harness/report.ts'
import { median, runRounds } from '../harness/statistics.ts'
import { startNodeReference } from '../references/node-reference.ts'
import type { Reference } from '../references/reference.ts'

const FILE_BYTES = 1000
const CONNECTIONS = 16

async function createInShare(
  { load }: Bench,
  session: Session,
  shareId: string,
  count: number,
): Promise<Creation> {
  return load.create({
    port: session.port,
    path: '/api/uploads',
    count,
    sizeBytes: FILE_BYTES,
    connections: CONNECTIONS,
    metadata: `${encodeMetadata({ shareId })},filename `,
    headers: [`Cookie: ${session.cookie}`],
  })
}

const BATCH_FILES = 500
const BATCHES_AT_ONCE = 4

/** The same files in batches; how many a second. */
async function createInBatches(
  { port, cookie }: Session,
  shareId: string,
  count: number,
): Promise<number> {
  const bytes = Buffer.alloc(FILE_BYTES, 7)
  const bodies = Array.from({ length: Math.ceil(count / BATCH_FILES) }, (_, batch) => {
    const files = Array.from(
      { length: Math.min(BATCH_FILES, count - batch * BATCH_FILES) },
      (_, index) => ({ id: randomUUID(), name: `${batch}/${index}`, sizeBytes: FILE_BYTES }),
    )
    return Buffer.concat([encodeManifest(files), ...files.map(() => bytes)])
  })
  const agent = new Agent({ keepAlive: true })
  const startedAt = performance.now()
  const rest = bodies.values()
  const work = async () => {
    for (const body of rest) await postBatch({ agent, port, cookie, shareId, body })
  }
  await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, work))
  const seconds = (performance.now() - startedAt) / 1000
  agent.destroy()
  return count / seconds
}

interface BatchCall {
  agent: Agent
  port: number
  cookie: string
  shareId: string
  body: Buffer
}

function postBatch({ agent, port, cookie, shareId, body }: BatchCall): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        ...{ agent, port, host: '127.0.0.1', method: 'POST' },
        path: `/api/shares/${shareId}/files/batch`,
        headers: { Cookie: cookie, 'Content-Type': BATCH_TYPE, 'Content-Length': body.length },
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
        response.on('end', () => {
          if (text === '{"refused":[]}') resolve()
          else reject(new Error(`a batch was refused: ${response.statusCode} ${text}`))
        })
      },
    )
    call.on('error', reject)
    call.end(body)
  })
}

function createInReference({ load }: Bench, reference: Reference, count: number) {
  return load.create({
    port: reference.port,
    path: '/files',
    count,
    sizeBytes: FILE_BYTES,
    connections: CONNECTIONS,
    metadata: `${encodeMetadata({ shareId: 'bench' })},filename `,
  })
}

/** Tables of the same shape, in the same database, for the reference to write to. */
async function createReferenceTables(floe: Floe): Promise<void> {
  const database = openDatabase({ url: databaseUrl(floe), maxConnections: 1 })
  try {
    await database.knex.raw('create schema bench')
    for (const table of ['files', 'uploads', 'outbox']) {
      await database.knex.raw('create table bench.?? (like public.?? including all)', [
        table,
        table,
      ])
    }
  } finally {
    await database.close()
  }
}

async function countRows(floe: Floe, table: string): Promise<number> {
  const database = openDatabase({ url: databaseUrl(floe), maxConnections: 1 })
  try {
    const rows = await database.knex(table).count('* as count')
    return Number(rows[0]?.['count'])
  } finally {
    await database.close()
  }
}

async function measureCreation(bench: Bench): Promise<Line[]> {
  const { scratch, isQuick, rounds } = bench
  const count = isQuick ? 300 : 10_000
  const floe = await startFloe(scratch)
  let reference: Reference | undefined
  try {
    const session = await signUp(floe)
    await createReferenceTables(floe)
    reference = await startNodeReference(scratch, 'tus-server', '@tus/server 2.4.5 with rows', {
      DATABASE_URL: databaseUrl(floe),
    })
    const server = reference
    const ours: Creation[] = []
    const theirs: Creation[] = []
    const batched: number[] = []
    await createInShare(bench, session, await session.createShare(), Math.ceil(count / 10))
    await createInReference(bench, server, Math.ceil(count / 10))
    await runRounds(rounds, [
      {
        name: 'Floe',
        run: async () => {
          const shareId = await session.createShare()
          await waitUntilQuiet(floe)
          ours.push(await createInShare(bench, session, shareId, count))
          await waitUntilQuiet(floe)
        },
      },
      {
        name: 'Floe in batches',
        run: async () => {
          const shareId = await session.createShare()
          await waitUntilQuiet(floe)
          batched.push(await createInBatches(session, shareId, count))
          await waitUntilQuiet(floe)
        },
      },
      {
        name: server.name,
        run: async () => {
          theirs.push(await createInReference(bench, server, count))
          await waitUntilQuiet(floe)
        },
      },
    ])
    await proveRows(floe, count * ours.length)
    return [...linesOf(ours, theirs, server.name), batchLine(batched, theirs, server.name)]
  } finally {
    await reference?.stop()
    await floe.stop()
  }
}

/** A fast server that forgets rows wins nothing. */
async function proveRows(floe: Floe, atLeast: number): Promise<void> {
  for (const table of ['public.files', 'bench.files', 'bench.outbox']) {
    const rows = await countRows(floe, table)
    if (rows < atLeast) throw new Error(`${table} has ${rows} rows, ${atLeast} were uploaded`)
  }
}

function linesOf(ours: Creation[], theirs: Creation[], name: string): Line[] {
  const rate = ({ files, seconds }: Creation): number => files / seconds
  const title = `Upload, ${ours[0]?.files} files of 1 kB, ${CONNECTIONS} connections`
  return [
    limitLine({
      what: `${title}, rows and events included`,
      values: ours.map(rate),
      unit: 'files/s',
      digits: 0,
    }),
    compareLine({
      what: `${title}, to @tus/server writing the same rows`,
      ours: ours.map(rate),
      theirs: { name, values: theirs.map(rate) },
      unit: 'files/s',
      atLeast: 1,
    }),
    limitLine({
      what: `${title}: median wait of one file`,
      values: ours.map(({ medianMs }) => medianMs),
      unit: 'ms',
      digits: 1,
      references: [{ name, values: theirs.map(({ medianMs }) => medianMs) }],
    }),
  ]
}

function batchLine(batched: number[], theirs: Creation[], name: string): Line {
  return compareLine({
    what: `Upload, ${theirs[0]?.files} files of 1 kB in batches of ${BATCH_FILES}, to @tus/server writing the same rows`,
    ours: batched,
    theirs: { name, values: theirs.map(({ files, seconds }) => files / seconds) },
    unit: 'files/s',
    atLeast: 5,
  })
}

/** The first byte must not wait for the directory of a large share. */
async function measureFirstByte(bench: Bench): Promise<Line[]> {
  const { scratch, isQuick, rounds, load } = bench
  const count = isQuick ? 300 : 10_000
  const floe = await startFloe(scratch)
  try {
    const session = await signUp(floe)
    const shareId = await session.createShare()
    await createInShare(bench, session, shareId, count)
    await session.completeShare(shareId)
    const headers = [`Cookie: ${await session.openShare(shareId)}`]
    const paths = [`/api/shares/${shareId}/files/zip`]
    const firstByteMs: number[] = []
    await waitUntilQuiet(floe)
    for (let run = 0; run < rounds * 2; run++) {
      const sizeBytes = count * FILE_BYTES
      firstByteMs.push(
        (await load.read({ port: floe.port, paths, sizeBytes, headers })).firstByteMs,
      )
    }
    const [cold = Number.NaN, ...warm] = firstByteMs
    const line = limitLine({
      what: `Download all, ${count} files: first byte`,
      values: warm,
      unit: 'ms',
      digits: 1,
      atMost: 50,
    })
    const isMet = cold <= 50 && median(warm) <= 50
    return [
      {
        ...line,
        measured: `${line.measured}; first request after the upload: ${cold.toFixed(1)} ms`,
        verdict: isMet ? 'met' : 'missed',
      },
    ]
  } finally {
    await floe.stop()
  }
}

export const smallFilesRow: Row = { name: 'small-files', measure: measureCreation }
export const firstByteRow: Row = { name: 'first-byte', measure: measureFirstByte }
