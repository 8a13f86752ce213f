// @vitest-environment jsdom
import { expect, it, vi } from 'vitest'
import type { BatchOutcome, sendBatch } from './batch-request.ts'
import { createBatchSender } from './batch-sender.ts'
import { createRememberedLimit } from './request-limit.ts'
import type { TransferOptions } from './transfer.ts'

type Request = Parameters<typeof sendBatch>[0]
type Respond = (request: Request) => BatchOutcome | Promise<BatchOutcome>

const stored: BatchOutcome = { status: 200, code: null, body: { refused: [] } }
const lost: BatchOutcome = { status: 0, code: null, body: null }
const byProxy: BatchOutcome = { status: 413, code: null, body: null }
const refused = (status: number, code: string): BatchOutcome => ({ status, code, body: null })

/** A browser that remembers nothing. */
const nothing = { getItem: () => null, setItem: () => undefined }

function script(...responses: Respond[]) {
  const log: string[] = []
  const sender = createBatchSender({
    beforeRequest: async () => undefined,
    removeFile: async (_shareId, fileId) => void log.push(`remove ${fileId}`),
    sendAlone: ({ fileId }) => {
      log.push(`alone ${fileId}`)
      return {
        pause: () => void log.push(`pause ${fileId}`),
        resume: () => undefined,
        cancel: () => undefined,
      }
    },
    limit: createRememberedLimit({ storage: nothing, now: () => 0 }),
    send: async (request) => {
      log.push(`send ${request.files.map(({ fileId }) => fileId).join(' ')}`)
      const respond = responses.shift() ?? (() => stored)
      return respond(request)
    },
  })
  const file = (fileId: string, content: Blob = new Blob(['12345'])): TransferOptions => ({
    entry: {
      key: fileId,
      file: new File([content], fileId),
      name: fileId,
      relativePath: null,
      sizeBytes: content.size,
    },
    share: { id: 's' },
    fileId,
    url: null,
    events: {
      onUrl: () => undefined,
      onCompared: () => undefined,
      onProgress: (bytes) => void log.push(`${fileId} at ${bytes}`),
      onRetry: () => void log.push(`${fileId} again`),
      onDone: () => void log.push(`${fileId} done`),
      onFailure: (reason) => void log.push(`${fileId} ${reason}`),
    },
  })
  return { sender, log, file }
}

/** Ends as an aborted request does. */
const untilAborted: Respond = ({ signal }) =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(lost)))

it('tells each file of a batch how far it is and what became of it', async () => {
  const { sender, log, file } = script((request) => {
    request.onProgress(7)
    request.onProgress(15)
    return { ...stored, body: { refused: [{ id: 'b', name: 'b', error: 'share_too_large' }] } }
  })
  sender.start([file('a'), file('b'), file('c')])
  await sender.settled()
  expect(log).toEqual([
    'send a b c',
    'a at 5',
    'b at 2',
    'b at 5',
    'c at 5',
    'a done',
    'b tooLarge',
    'c done',
  ])
})

it('sends the same files again after a lost connection, and what no longer can be read not', async () => {
  const { sender, log, file } = script(() => lost)
  const gone = file('gone')
  const unreadable = Object.assign(new Blob(), {
    arrayBuffer: () => Promise.reject(new Error('NotReadableError')),
  })
  vi.spyOn(gone.entry.file, 'slice').mockReturnValue(unreadable)
  sender.start([file('a'), gone])
  await sender.settled()
  expect(log).toEqual(['send a gone', 'gone unreadable', 'a again', 'send a', 'a done'])
})

it('goes on with half as much, and remembers it, when something on the way refuses the size', async () => {
  const { sender, log, file } = script(() => byProxy)
  const half = new Blob([new Uint8Array(100_000)])
  const files = ['a', 'b', 'c', 'd'].map((id) => file(id, half))
  sender.start(files)
  await sender.settled()
  const sent = () => log.filter((line) => line.startsWith('send'))
  expect(sent()).toEqual(['send a b c d', 'send a b', 'send c d'])
  sender.start(files)
  await sender.settled()
  expect(sent().slice(3)).toEqual(['send a b', 'send c d'])
})

it('takes a response for none that is not the server’s', async () => {
  const { sender, log, file } = script(() => ({ ...stored, body: null }))
  sender.start([file('a')])
  await sender.settled()
  expect(log).toEqual(['send a', 'a again', 'send a', 'a done'])
})

it('sends a file by itself that is larger than what may pass, and hands its controls over', async () => {
  const { sender, log, file } = script(
    () => byProxy,
    () => byProxy,
    () => byProxy,
  )
  const [transfer] = sender.start([file('a', new Blob([new Uint8Array(300_000)]))])
  await sender.settled()
  expect(log.at(-1)).toBe('alone a')
  transfer?.pause()
  expect(log.at(-1)).toBe('pause a')
})

it('tries once more when the session has ended, then takes the refusal', async () => {
  const forbidden = () => refused(403, 'forbidden')
  const { sender, log, file } = script(forbidden, forbidden)
  sender.start([file('a')])
  await sender.settled()
  expect(log).toEqual(['send a', 'a again', 'send a', 'a refused'])
})

it('takes what the server refuses of all of them at once', async () => {
  const { sender, log, file } = script(() => refused(507, 'storage_full'))
  sender.start([file('a'), file('b')])
  await sender.settled()
  expect(log).toEqual(['send a b', 'a storageFull', 'b storageFull'])
})

it('stops when all of its files are paused, and goes on with one that is resumed', async () => {
  const { sender, log, file } = script(untilAborted)
  const [a, b] = sender.start([file('a'), file('b')])
  await vi.waitFor(() => expect(log).toEqual(['send a b']))
  a?.pause()
  b?.pause()
  a?.resume()
  await sender.settled()
  expect(log).toEqual(['send a b', 'send a b', 'a done', 'b done'])
})

it('takes out of the share again what was cancelled while it travelled, before the last is done', async () => {
  let respond: (outcome: BatchOutcome) => void = () => undefined
  const { sender, log, file } = script(() => new Promise((resolve) => (respond = resolve)))
  const [, b] = sender.start([file('a'), file('b')])
  await vi.waitFor(() => expect(log).toEqual(['send a b']))
  b?.cancel()
  respond(stored)
  await sender.settled()
  expect(log).toEqual(['send a b', 'remove b', 'a done'])
})

it('sends nothing more once it is closed', async () => {
  const { sender, log, file } = script(untilAborted)
  sender.start([file('a')])
  await vi.waitFor(() => expect(log).toEqual(['send a']))
  sender.close()
  await sender.settled()
  expect(log).toEqual(['send a'])
})
