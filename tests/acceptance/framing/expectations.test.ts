import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { findFreePort } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { everyFloe } from '../world/arrangements.ts'
import { converse } from './raw-client.ts'

const inner = 'GET /api/health/smuggled HTTP/1.1\r\nHost: a\r\n\r\n'
const cases = ['foo', ''].flatMap((value) =>
  [1_000, 70_000, 10_000_000].map((sizeBytes) => ({ value, sizeBytes })),
)

function ask(value: string, sizeBytes: number): Buffer {
  const body = inner.repeat(Math.ceil(sizeBytes / inner.length)).slice(0, sizeBytes)
  const head = `POST /api/auth/signIn HTTP/1.1\r\nHost: a\r\nExpect: ${value}\r\n`
  return Buffer.from(`${head}Content-Length: ${sizeBytes}\r\n\r\n${body}`)
}

describe.each(everyFloe())(
  'what expects something else than 100-continue, $arrangement',
  ({ url }) => {
    const port = Number(new URL(url).port)
    let haproxy: HaProxy
    beforeAll(async () => {
      haproxy = await startHaProxy(port)
    })
    afterAll(() => haproxy?.stop())

    test.each(cases)(
      'gets one 417 and is closed: "$value", $sizeBytes bytes',
      async ({ value, sizeBytes }) => {
        const bytes = ask(value, sizeBytes)
        const conversation = await converse({ port, bytes, methods: [], responses: 2 })
        expect(conversation.responses.map(({ status }) => status)).toEqual([417])
        expect(conversation).toMatchObject({ end: 'closed', garbage: null })
      },
    )

    test.each(cases)(
      'leaves nothing behind for others at HAProxy: "$value", $sizeBytes bytes',
      async ({ value, sizeBytes }) => {
        const bytes = ask(value, sizeBytes)
        const { responses } = await converse({
          port: haproxy.port,
          bytes,
          methods: [],
          responses: 1,
        })
        expect(responses.map(({ status }) => status)).toEqual([417])
        for (let turn = 0; turn < 20; turn += 1) {
          const path = `/api/nothing/${turn}`
          expect(await bodyOf(haproxy.port, path)).toContain(path)
        }
      },
    )
  },
)

async function bodyOf(port: number, path: string): Promise<string> {
  const agent = new Agent()
  const req = request({ host: '127.0.0.1', port, path, agent })
  req.end()
  const [res] = (await once(req, 'response')) as [IncomingMessage]
  return text(res)
}

interface HaProxy {
  port: number
  stop(): Promise<void>
}

/** With connections to Floe that all clients share. */
async function startHaProxy(floePort: number): Promise<HaProxy> {
  const directory = await mkdtemp(join(tmpdir(), 'floe-haproxy-'))
  const port = await findFreePort()
  const file = join(directory, 'haproxy.cfg')
  const lines = [
    'defaults',
    '  mode http',
    '  timeout connect 5s',
    '  timeout client 30s',
    '  timeout server 30s',
    'frontend clients',
    `  bind 127.0.0.1:${port}`,
    '  default_backend floe',
    'backend floe',
    '  http-reuse always',
    `  server floe 127.0.0.1:${floePort}`,
    '',
  ]
  await writeFile(file, lines.join('\n'))
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'inherit' })
  await vi.waitFor(() => reach(port), { timeout: 20_000, interval: 50 })
  return { port, stop: () => stop(child, directory) }
}

async function reach(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.destroy()
}

async function stop(child: ChildProcess, directory: string): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
  await rm(directory, { recursive: true })
}
