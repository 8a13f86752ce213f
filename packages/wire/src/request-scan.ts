import type { IncomingMessage } from 'node:http'

const HEAD_END = '\r\n\r\n'
const requestLinePattern = /^[A-Z]+ [\x21-\x7e]+ HTTP\/1\.1\r\n/
const lengthLinesPattern = /\r\ncontent-length[^\r]*/gi
const lengthPattern = /^\r\ncontent-length:[\t ]*(\d{1,15})[\t ]*$/i
/** Framed in another way, or written so that readers may differ about it. */
const doubtfulPattern = /\r\n(?:transfer-encoding|upgrade|[\t ])|[^\r]\n|\r[^\n]/i

/** A request at the beginning of some bytes whose body is long. */
export interface LongRequest {
  /** Up to the first byte of the body. */
  headBytes: number
  /** Digits. */
  lengthText: string
  /** Makes the length in these bytes 0, and returns the head. */
  hideLength(bytes: Buffer): Buffer
}

/** Null unless the head is there as a whole and leaves no doubt about the length. */
export function longBodyIn(bytes: Buffer, leastBytes: number): LongRequest | null {
  const end = bytes.indexOf(HEAD_END)
  if (end < 0) return null
  const head = bytes.toString('latin1', 0, end + 2)
  if (!requestLinePattern.test(head) || doubtfulPattern.test(head)) return null
  const [line, ...others] = head.matchAll(lengthLinesPattern)
  const lengthText = lengthPattern.exec(line?.[0] ?? '')?.[1]
  if (!line || lengthText === undefined || others.length > 0) return null
  if (Number(lengthText) < leastBytes) return null
  const from = line.index + line[0].lastIndexOf(lengthText)
  const headBytes = end + HEAD_END.length
  return {
    headBytes,
    lengthText,
    hideLength(all) {
      all.fill('0', from, from + lengthText.length)
      return all.subarray(0, headBytes)
    },
  }
}

/** Follows what the parser is given, so that it is known where a request begins. */
export interface HeadScan {
  readonly isAtStart: boolean
  /**
   * After the parser was given bytes: how many requests it has begun with them, and the latest.
   * False where that is not what the bytes look like, or where the next request can begin is not
   * plain: nothing is known from then on.
   */
  follow(bytes: Buffer, requests: number, latest: IncomingMessage | null): boolean
}

export function createHeadScan(): HeadScan {
  /** The last bytes of a head that has not ended; null outside of one. */
  let head: string | null = null
  let bodyBytes = 0
  return {
    get isAtStart() {
      return head === null && bodyBytes === 0
    },
    follow(bytes, requests, latest) {
      if (bodyBytes > 0) {
        bodyBytes -= bytes.length
        return requests === 0 && bodyBytes >= 0
      }
      const tail: string = head ?? ''
      const text = tail + bytes.toString('latin1')
      const end = text.indexOf(HEAD_END)
      if (end < 0) {
        head = text.slice(-HEAD_END.length + 1)
        return requests === 0
      }
      if (requests !== 1 || latest === null) return false
      const { 'transfer-encoding': encoding, 'content-length': length, upgrade } = latest.headers
      if (encoding !== undefined || upgrade !== undefined) return false
      head = null
      const restBytes = text.length - end - HEAD_END.length
      bodyBytes = Number(length ?? 0) - restBytes
      return bodyBytes >= 0
    },
  }
}
