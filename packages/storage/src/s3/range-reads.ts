import { AppError } from '@floe/errors'
import { createConnectionPool, PulledBody, type ResponseHead } from '@floe/transfer'
import type { ByteStream } from './byte-stream.ts'

const connectTimeoutMs = 5_000
/** Without a single byte in either direction. */
const silenceMs = 30_000

export interface RangeReads {
  /**
   * The bytes of a signed address from `start` up to `end`, or up to the end of the object. Null
   * where the response is anything but those bytes.
   */
  open(address: string, span: { start: number; end: number }): Promise<ByteStream | null>
  close(): void
}

/** Reads of one server by plain HTTP. */
export function createRangeReads(endpoint: string): RangeReads {
  const url = new URL(endpoint)
  const pool = createConnectionPool({ url, silenceMs, connectTimeoutMs })

  /** Resolves with the head; whatever fails later fails a read of the body. */
  function request(text: string) {
    const connection = pool.take()
    const body = new PulledBody(() => connection.resume())
    const destroy = () => {
      // Behind its end the connection serves others.
      if (!body.isWhole) connection.destroy()
    }
    return new Promise<{ head: ResponseHead; body: PulledBody; destroy(): void }>(
      (resolve, reject) => {
        connection.begin({
          method: 'GET',
          onContinue: () => undefined,
          onHead: (head) => {
            resolve({ head, body, destroy })
            return body
          },
          onEnd: () => body.finish(),
          onFailure: (error) => {
            const failure = unavailable(error)
            reject(failure)
            body.fail(failure)
          },
        })
        connection.socket.write(text, 'latin1')
        connection.requestSent()
      },
    )
  }

  return {
    async open(address, { start, end }) {
      const { pathname, search } = new URL(address)
      const { head, body, destroy } = await request(
        `GET ${pathname}${search} HTTP/1.1\r\nHost: ${url.host}\r\nRange: bytes=${start}-${end - 1}\r\n\r\n`,
      )
      const { framing } = head
      if (framing.kind === 'chunked' || framing.kind === 'until-close') {
        destroy()
        throw unavailable('the response does not tell its length')
      }
      const sizeBytes = framing.kind === 'length' ? framing.bytes : 0
      if (head.status !== 206 || sizeBytes > end - start) {
        destroy()
        return null
      }
      return { read: (target) => body.read(target), destroy }
    },
    close: () => pool.close(),
  }
}

function unavailable(cause: unknown): AppError {
  return new AppError('upstream_unavailable', { cause, detail: 'object store: a read failed' })
}
