import type { ByteStream } from './byte-stream.ts'
import { RangeConnection } from './range-connection.ts'

const connectTimeoutMs = 5_000
/** Without a single byte in either direction. */
const silenceMs = 30_000
/** S3 may close while a request is on its way: use no connection that has waited for long. */
const mostIdleMs = 1_000
const mostIdle = 64

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
  const { hostname, port, host } = new URL(endpoint)
  const idle = new Map<RangeConnection, NodeJS.Timeout>()
  let isClosed = false

  function open(): RangeConnection {
    return new RangeConnection({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? 80 : Number(port),
      connectTimeoutMs,
      silenceMs,
      onClosed: forget,
    })
  }

  function forget(connection: RangeConnection): void {
    clearTimeout(idle.get(connection))
    idle.delete(connection)
  }

  function take(): RangeConnection {
    const [newest] = [...idle.keys()].slice(-1)
    if (!newest) return open()
    forget(newest)
    return newest
  }

  function giveBack(connection: RangeConnection): void {
    if (!connection.isFree || isClosed || idle.size === mostIdle) return connection.destroy()
    connection.rest()
    idle.set(connection, setTimeout(() => connection.destroy(), mostIdleMs).unref())
  }

  return {
    async open(address, { start, end }) {
      const { pathname, search } = new URL(address)
      const connection = take()
      const head = await connection.request(
        `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nRange: bytes=${start}-${end - 1}\r\n\r\n`,
      )
      const { framing } = head
      const isAsked = framing.kind === 'length' && framing.bytes <= end - start
      if (head.status !== 206 || !isAsked) {
        connection.destroy()
        return null
      }
      let isGivenBack = false
      return {
        read: (target) => connection.read(target),
        destroy: () => {
          if (!isGivenBack) giveBack(connection)
          isGivenBack = true
        },
      }
    },
    close() {
      isClosed = true
      for (const connection of [...idle.keys()]) connection.destroy()
    },
  }
}
