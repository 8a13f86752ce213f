/** A message as a mail program would show it. */
export interface CaughtMessage {
  /** The address the server was told to return the message to. */
  from: string
  /** The addresses it was told to deliver to. */
  to: string[]
  /** The header as written, encoded words decoded: `"Floe" <floe@example.com>`. */
  fromHeader: string
  toHeader: string
  subject: string
  text: string
  html: string
  /** With its angle brackets. */
  messageId: string
  /** Names in lower case; of repeated headers the last. */
  headers: ReadonlyMap<string, string>
  isEncrypted: boolean
  /** As it was received. */
  source: string
}

/**
 * Reads what nodemailer writes (RFC 5322, 2045 to 2047): text and HTML as alternatives or alone, in
 * UTF-8 or ASCII, without attachments.
 */
export function readMessage(
  source: string,
  envelope: Pick<CaughtMessage, 'from' | 'to' | 'isEncrypted'>,
): CaughtMessage {
  const parts = readParts(source)
  const headers = readHeaders(source)
  const header = (name: string) => decodeWords(headers.get(name) ?? '')
  return {
    ...envelope,
    fromHeader: header('from'),
    toHeader: header('to'),
    subject: header('subject'),
    text: parts.get('text/plain') ?? '',
    html: parts.get('text/html') ?? '',
    messageId: header('message-id'),
    headers,
    source,
  }
}

function splitEntity(entity: string): { head: string; body: string } {
  const end = entity.indexOf('\r\n\r\n')
  if (end < 0) return { head: entity, body: '' }
  return { head: entity.slice(0, end), body: entity.slice(end + 4) }
}

function readHeaders(entity: string): Map<string, string> {
  const unfolded = splitEntity(entity).head.replace(/\r\n(?=[ \t])/g, '')
  return new Map(
    unfolded.split('\r\n').map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
}

/** Media types with their texts. */
function readParts(entity: string): Map<string, string> {
  const headers = readHeaders(entity)
  const contentType = headers.get('content-type') ?? 'text/plain'
  const { body } = splitEntity(entity)
  const boundary = /boundary="?([^";]+)"?/i.exec(contentType)?.[1]
  if (boundary === undefined) {
    const mediaType = (contentType.split(';')[0] ?? '').trim().toLowerCase()
    const encoding = headers.get('content-transfer-encoding') ?? '7bit'
    return new Map([[mediaType, decodeBody(body, encoding).replace(/\r\n/g, '\n')]])
  }
  const sections = `\r\n${body}`.split(`\r\n--${boundary}`).slice(1, -1)
  return new Map(sections.flatMap((section) => [...readParts(section.replace(/^\r\n/, ''))]))
}

function decodeBody(body: string, encoding: string): string {
  if (/^base64$/i.test(encoding)) return Buffer.from(body, 'base64').toString()
  if (/^quoted-printable$/i.test(encoding)) return decodeQuoted(body.replace(/=[ \t]*\r\n/g, ''))
  return Buffer.from(body, 'latin1').toString()
}

function decodeQuoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString()
}

/** RFC 2047: the space between two encoded words is not part of the text. */
function decodeWords(header: string): string {
  return Buffer.from(header, 'latin1')
    .toString()
    .replace(/(\?=)\s+(=\?)/g, '$1$2')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, encoding: string, text: string) =>
      encoding.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString()
        : decodeQuoted(text.replaceAll('_', ' ')),
    )
}
