import { Agent, type IncomingHttpHeaders, request } from 'node:http'

/** A request as it goes over the wire. */
export interface WireRequest {
  method: string
  /** Sent as it is written. */
  path: string
  headers: Record<string, string>
  body: Buffer | null
}

export interface WireResponse {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
  elapsedMs: number
}

const GIVE_UP_MS = 30_000
const MOST_SHOWN = 2_000

export interface Sender {
  send(request: WireRequest): Promise<WireResponse>
  close(): void
}

export function createSender(url: string): Sender {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true })

  function sendOnce({ method, path, headers, body }: WireRequest, startedAt: number) {
    return new Promise<WireResponse>((resolve, reject) => {
      const req = request({
        agent,
        hostname,
        port,
        method,
        path,
        headers: { ...headers, ...(body && { 'Content-Length': body.length }) },
        timeout: GIVE_UP_MS,
      })
      req.on('timeout', () => req.destroy(new Error(`nothing came for ${GIVE_UP_MS} ms`)))
      // A refusal may close the connection while the body is still being sent: the response counts.
      req.on('error', (error) => reject(Object.assign(error, { isReused: req.reusedSocket })))
      req.on('response', (res) => {
        const chunks: Buffer[] = []
        res.on('data', (chunk: Buffer) => chunks.push(chunk))
        res.on('error', reject)
        res.on('end', () =>
          resolve({
            status: res.statusCode ?? 0,
            headers: res.headers,
            bytes: Buffer.concat(chunks),
            elapsedMs: performance.now() - startedAt,
          }),
        )
      })
      req.end(body ?? undefined)
    })
  }

  return {
    send: async (wire) => {
      try {
        return await sendOnce(wire, performance.now())
      } catch (error) {
        // The server closed a connection that was idle just as it was used again.
        const { code, isReused } = error as { code?: string; isReused?: boolean }
        if (!isReused || (code !== 'ECONNRESET' && code !== 'EPIPE')) throw error
        return sendOnce(wire, performance.now())
      }
    },
    close: () => agent.destroy(),
  }
}

/** As curl would send it again; long bodies are cut, the seed has them whole. */
export function asCurl(url: string, { method, path, headers, body }: WireRequest): string {
  const quote = (text: string) => `$'${text.replace(/[^ -&(-[\]-~]/g, escapeByte)}'`
  const parts = [
    `curl -i --path-as-is -X ${method} ${quote(url + path)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
  ]
  if (body) parts.push(`--data-binary ${quote(body.toString('latin1').slice(0, MOST_SHOWN))}`)
  if (body && body.length > MOST_SHOWN) parts.push(`# ${body.length} bytes`)
  return parts.join(' ')
}

function escapeByte(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
}
