import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import * as tus from 'tus-js-client'

/** What the clients of one load saw. */
export interface LoadReport {
  requests: number
  /** Requests that were sent again by themselves, by what they were and why. */
  retries: Map<string, number>
  /** What a person would have been told. */
  failures: string[]
  uploads: { fileName: string; shareId: string; sha256: string }[]
  downloadedBytes: number
}

export interface LoadOptions {
  url: string
  cookie: string
  /** A published share, and what its parts are. */
  published: { shareId: string; fileId: string; sha256: string; archiveSha256: string }
  stop: AbortSignal
}

const RETRY_PAUSES_MS = [0, 1_000, 3_000, 5_000]

/**
 * People at work: uploads in several requests, downloads, archives, reading and writing, each with
 * the retries that browsers and upload clients have.
 */
export async function runLoad(options: LoadOptions): Promise<LoadReport> {
  const report: LoadReport = {
    requests: 0,
    retries: new Map(),
    failures: [],
    uploads: [],
    downloadedBytes: 0,
  }
  const { published, stop } = options
  const client = new PatientClient(options, report)
  const filePath = `/api/shares/${published.shareId}/files/${published.fileId}`
  const archivePath = `/api/shares/${published.shareId}/files/zip`
  const people: (() => Promise<void>)[] = [
    ...Array.from({ length: 3 }, () => () => client.upload()),
    () => client.download(filePath, published.sha256),
    () => client.download(archivePath, published.archiveSha256),
    () => client.read('/api/users/me'),
    () => client.read(`/api/shares/${published.shareId}/from-owner`),
    () => client.write(),
  ]
  await Promise.all(
    people.map(async (perform) => {
      while (!stop.aborted) {
        try {
          await perform()
        } catch (error) {
          report.failures.push(String(error))
        }
        await delay(50)
      }
    }),
  )
  return report
}

class PatientClient {
  readonly #options: LoadOptions
  readonly #report: LoadReport

  constructor(options: LoadOptions, report: LoadReport) {
    this.#options = options
    this.#report = report
  }

  async read(path: string): Promise<void> {
    const response = await this.#insist('read', 'GET', path)
    if (response.status !== 200) throw new Error(`GET ${path}: ${response.status}`)
    await response.arrayBuffer()
  }

  /** A share made, named anew and deleted. */
  async write(): Promise<void> {
    const id = newId()
    const made = await this.#insist('create', 'POST', '/api/shares', {
      id,
      expiration: '1-day',
      recipients: [],
    })
    if (made.status !== 201) throw new Error(`create: ${made.status} ${await made.text()}`)
    const named = await this.#insist('rename', 'PATCH', `/api/shares/${id}`, { name: 'New' })
    if (named.status !== 200) throw new Error(`rename: ${named.status} ${await named.text()}`)
    const gone = await this.#insist('delete', 'DELETE', `/api/shares/${id}`)
    if (!gone.ok) throw new Error(`delete: ${gone.status} ${await gone.text()}`)
  }

  /** All of it, from where a broken response ended. */
  async download(path: string, sha256: string): Promise<void> {
    const hash = createHash('sha256')
    let received = 0
    for (let isFirst = true; ; isFirst = false) {
      const response = await this.#insist('download', 'GET', path, undefined, {
        ...(!isFirst && { Range: `bytes=${received}-` }),
      })
      if (response.status !== (isFirst ? 200 : 206)) {
        throw new Error(`GET ${path} from ${received}: ${response.status}`)
      }
      try {
        for await (const chunk of response.body ?? []) {
          hash.update(chunk as Uint8Array)
          received += (chunk as Uint8Array).length
        }
        break
      } catch (error) {
        this.#retried('download', `broken: ${reasonOf(error)}`)
      }
    }
    this.#report.downloadedBytes += received
    if (hash.digest('hex') !== sha256) throw new Error(`GET ${path}: other bytes`)
  }

  async upload(): Promise<void> {
    const { url, cookie } = this.#options
    const shareId = newId()
    const made = await this.#insist('create', 'POST', '/api/shares', {
      id: shareId,
      expiration: '1-day',
      recipients: [],
    })
    if (made.status !== 201) throw new Error(`create: ${made.status} ${await made.text()}`)
    const content = randomBytes(3_000_000)
    const fileName = `${shareId}.bin`
    await new Promise<void>((resolve, reject) => {
      new tus.Upload(content, {
        endpoint: `${url}/api/uploads`,
        headers: { Cookie: cookie },
        metadata: { shareId, filename: fileName },
        chunkSize: 500_000,
        retryDelays: RETRY_PAUSES_MS,
        onBeforeRequest: () => void (this.#report.requests += 1),
        onAfterResponse: (request, response) => {
          const status = response.getStatus()
          if (status >= 400) this.#retried(`tus ${request.getMethod()}`, `${status}`)
        },
        onShouldRetry: (error) => {
          const { originalRequest, originalResponse } = error
          if (!originalResponse) this.#retried(`tus ${originalRequest.getMethod()}`, error.message)
          return true
        },
        onSuccess: () => resolve(),
        onError: reject,
      }).start()
    })
    const done = await this.#insist('complete', 'POST', `/api/shares/${shareId}/complete`)
    if (!done.ok) throw new Error(`complete: ${done.status} ${await done.text()}`)
    const sha256 = createHash('sha256').update(content).digest('hex')
    this.#report.uploads.push({ fileName, shareId, sha256 })
  }

  /** As a page does: again where there was no response, or the response says to come back. */
  async #insist(
    what: string,
    method: string,
    path: string,
    json?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const { url, cookie } = this.#options
    for (let attempt = 0; ; attempt += 1) {
      this.#report.requests += 1
      let reason: string
      try {
        const response = await fetch(`${url}${path}`, {
          method,
          headers: {
            Cookie: cookie,
            ...(json !== undefined && { 'Content-Type': 'application/json' }),
            ...headers,
          },
          ...(json !== undefined && { body: JSON.stringify(json) }),
        })
        if (response.status < 500) return response
        reason = `${response.status} ${await response.text()}`
        if (!response.headers.has('retry-after')) throw new Error(`${method} ${path}: ${reason}`)
      } catch (error) {
        reason = reasonOf(error)
      }
      const pauseMs = RETRY_PAUSES_MS[attempt]
      if (pauseMs === undefined) throw new Error(`${method} ${path}: ${reason}`)
      this.#retried(what, reason)
      await delay(pauseMs)
    }
  }

  #retried(what: string, reason: string): void {
    const key = `${what}: ${reason}`
    this.#report.retries.set(key, (this.#report.retries.get(key) ?? 0) + 1)
  }
}

function newId(): string {
  return `soak-${randomBytes(8).toString('hex')}`
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: Error }
  return cause?.message ?? message
}
