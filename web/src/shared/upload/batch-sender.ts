import {
  type BatchResponse,
  batchResponseSchema,
  isProxyRefusal,
  MOST_REQUEST_BYTES,
  requestBytes,
  takeForRequest,
} from '@floe/contracts'
import { describeFile } from './batch-plan.ts'
import { type BatchOutcome, findUnreadable, sendBatch } from './batch-request.ts'
import { failureOf } from './failure-of.ts'
import type { RememberedLimit } from './request-limit.ts'
import { retryPause } from './retry-pause.ts'
import type { Transfer, TransferOptions } from './transfer.ts'

interface Member extends TransferOptions {
  state: 'wanted' | 'paused' | 'cancelled' | 'settled'
  /** Once it travels by itself. */
  alone: Transfer | null
}

interface Dependencies {
  /** Runs ahead of every request, to renew the session. */
  beforeRequest: () => Promise<void>
  /** Takes a file out of a share again. */
  removeFile: (shareId: string, fileId: string) => Promise<void>
  /** Sends a file by itself, in pieces if need be. */
  sendAlone: (file: TransferOptions) => Transfer
  limit: RememberedLimit
  send?: typeof sendBatch
}

export interface BatchSender {
  start(files: readonly TransferOptions[]): Transfer[]
  /** Resolves once no request is under way, and what was cancelled too late is removed. */
  settled(): Promise<void>
  close(): void
}

/** Carries small files, many in one request. */
export function createBatchSender(dependencies: Dependencies): BatchSender {
  const closing = new AbortController()
  const running = new Set<Promise<void>>()

  return {
    start(files) {
      const batch = createBatch(files, closing.signal)
      const run = deliver(dependencies, batch).finally(() => running.delete(run))
      running.add(run)
      return batch.controls
    },
    settled: async () => {
      await Promise.all(running)
    },
    close: () => closing.abort(),
  }
}

type Batch = ReturnType<typeof createBatch>

/** The files of a batch and what is asked of them meanwhile. */
function createBatch(files: readonly TransferOptions[], closed: AbortSignal) {
  const members = files.map((file): Member => ({ ...file, state: 'wanted', alone: null }))
  let request = new AbortController()
  let wake: () => void = () => undefined

  const open = () => members.filter(({ state }) => state === 'wanted' || state === 'paused')
  const isPaused = () => open().every(({ state }) => state === 'paused')

  function change(member: Member, state: Member['state']) {
    if (member.state === 'settled' || member.state === 'cancelled') return
    member.state = state
    // One that alone is paused goes on with the others; it is small.
    if (state === 'paused' && isPaused()) request.abort()
    wake()
  }

  return {
    closed,
    open,
    controls: members.map((member): Transfer => ({
      pause: () => (member.alone ? member.alone.pause() : change(member, 'paused')),
      resume: () => (member.alone ? member.alone.resume() : change(member, 'wanted')),
      cancel: () => (member.alone ? member.alone.cancel() : change(member, 'cancelled')),
    })),
    /** Ends with a pause of all files, or for good. */
    requestSignal(): AbortSignal {
      request = new AbortController()
      return AbortSignal.any([request.signal, closed])
    },
    async waitWhilePaused(): Promise<void> {
      while (!closed.aborted && open().length > 0 && isPaused()) {
        await new Promise<void>((resolve) => {
          wake = resolve
          closed.addEventListener('abort', () => resolve(), { once: true })
        })
      }
    },
  }
}

async function deliver(dependencies: Dependencies, batch: Batch): Promise<void> {
  const { limit, send = sendBatch } = dependencies
  for (let failures = 0; ;) {
    await batch.waitWhilePaused()
    const mostBytes = Math.min(MOST_REQUEST_BYTES, limit.bytes())
    const files = takeForRequest(batch.open(), describeFile, mostBytes)
    const [first] = files
    if (batch.closed.aborted || first === undefined) return
    if (requestBytes(describeFile(first)) > mostBytes) {
      first.state = 'settled'
      first.alone = dependencies.sendAlone(first)
      continue
    }
    await dependencies.beforeRequest()
    const signal = batch.requestSignal()
    const onProgress = createProgress(files)
    const outcome = await send({ shareId: first.share.id, files, signal, onProgress })
    if (batch.closed.aborted) return
    const response = outcome.status === 200 ? batchResponseSchema.safeParse(outcome.body) : null
    if (response?.success) {
      failures = 0
      limit.confirm()
      await settle(dependencies, files, response.data)
      continue
    }
    if (signal.aborted) continue
    failures += 1
    await judge(files, outcome, { failures, limit, closed: batch.closed })
  }
}

/** Tells each file as far as it has left; in an attempt after the first only what is new. */
function createProgress(files: readonly Member[]): (bytes: number) => void {
  let next = 0
  let passedBytes = 0
  return (bytes) => {
    for (let file = files[next]; file; file = files[next]) {
      const { sizeBytes } = describeFile(file)
      const part = Math.min(sizeBytes, bytes - passedBytes)
      if (part > 0 && file.state !== 'cancelled')
        file.events.onProgress(Math.min(part, file.entry.sizeBytes))
      if (part < sizeBytes) return
      passedBytes += sizeBytes
      next += 1
    }
  }
}

async function settle(
  { removeFile }: Pick<Dependencies, 'removeFile'>,
  files: readonly Member[],
  { refused }: BatchResponse,
): Promise<void> {
  const refusals = new Map(refused.map(({ id, error }) => [id, error]))
  // What was cancelled while it travelled is stored by now. It goes before the others are done,
  // because behind the last of them the share is made visible.
  for (const { state, share, fileId } of files) {
    if (state === 'cancelled' && !refusals.has(fileId)) {
      await removeFile(share.id, fileId).catch(() => undefined)
    }
  }
  for (const file of files) {
    if (file.state === 'cancelled') continue
    file.state = 'settled'
    const refusal = refusals.get(file.fileId)
    if (refusal === undefined) file.events.onDone()
    else file.events.onFailure(failureOf(400, refusal))
  }
}

interface Failure {
  /** In a row. */
  failures: number
  limit: RememberedLimit
  closed: AbortSignal
}

/** What follows from a request that failed: another attempt after a while, or none. */
async function judge(
  files: readonly Member[],
  { status, code }: BatchOutcome,
  { failures, limit, closed }: Failure,
): Promise<void> {
  const sentBytes = files.reduce((sum, file) => sum + requestBytes(describeFile(file)), 0)
  const isRefusedByProxy = isProxyRefusal(status, code ?? undefined)
  if (isRefusedByProxy && !limit.refused(sentBytes)) {
    for (const file of files) fail(file, 'refusedByProxy')
    return
  }
  if (status === 0) {
    for (const file of await findUnreadable(files)) fail(file, 'unreadable')
    if (failures > 1 && navigator.onLine) limit.lost(sentBytes)
  } else if (!isRefusedByProxy && !isWorthAnotherTry(status, failures)) {
    for (const file of files) fail(file, failureOf(status, code))
    return
  }
  for (const { state, events } of files) if (state === 'wanted') events.onRetry()
  if (!isRefusedByProxy) await retryPause(failures, closed)
}

function fail(file: Member, reason: ReturnType<typeof failureOf>): void {
  if (file.state === 'cancelled') return
  file.state = 'settled'
  file.events.onFailure(reason)
}

/** Refusals stay; a session may have ended while the files waited. */
function isWorthAnotherTry(status: number, failures: number): boolean {
  if (status === 401 || status === 403) return failures === 1
  // A success that is not the server's came from something in between, as a 502 does.
  return status === 200 || (status >= 500 && status !== 507) || [408, 423, 429].includes(status)
}
