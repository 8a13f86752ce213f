import type { Random } from '@floe/testing'

/** What a client sends on one connection. */
export interface Case {
  bytes: Buffer
  /** Sent apart from what comes before. */
  splits: number[]
  /** Some byte of it was changed, or it ends anywhere. */
  isDamaged: boolean
}

export interface Marks {
  /** Where a request goes, each time another path, and a header of its own. */
  next(): { target: string; header: string }
  /** A request that hides in a body. */
  smuggled: string
}

const methods = 'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE PROPFIND REPORT PURGE'.split(' ')
const connections = [
  'close',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'keep-alive, Content-Length',
  'host',
  'x-forwarded-for, cookie',
  'upgrade',
  ', ,',
]
const lengthSpellings: ((bytes: number) => string[])[] = [
  (bytes) => [`Content-Length: ${bytes}`],
  (bytes) => [`content-length:${bytes}`],
  (bytes) => [`Content-Length:\t ${bytes} \t`],
  (bytes) => [`Content-Length: 00${bytes}`],
  (bytes) => [`Content-Length: +${bytes}`],
  (bytes) => [`Content-Length: -${bytes}`],
  (bytes) => [`Content-Length: ${bytes},${bytes}`],
  (bytes) => [`Content-Length: ${bytes}`, `Content-Length: ${bytes}`],
  (bytes) => [`Content-Length: ${bytes}`, 'Content-Length: 0'],
  (bytes) => [`Content-Length: 0x${bytes.toString(16)}`],
  (bytes) => [`Content-Length : ${bytes}`],
  (bytes) => [`Content-Length:\r\n ${bytes}`],
  () => ['Content-Length:'],
  () => ['Content-Length: 99999999999999999999'],
]
const codingSpellings: string[][] = [
  ['Transfer-Encoding: chunked'],
  ['transfer-encoding:CHUNKED'],
  ['Transfer-Encoding: gzip, chunked'],
  ['Transfer-Encoding: chunked, gzip'],
  ['Transfer-Encoding: chunked, chunked'],
  ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'],
  ['Transfer-Encoding: identity'],
  ['Transfer-Encoding:'],
  ['Transfer-Encoding: xchunked'],
  ['Transfer-Encoding:\r\n chunked'],
  ['Transfer-Encoding : chunked'],
  ['Transfer-Encoding: "chunked"'],
  ['X-Ignored: a\r\nTransfer-Encoding\r\n: chunked'],
]
const expectations = ['100-continue', '100-Continue', 'foo', '', '100-continue, foo']
const insertions = ['\r', '\n', '\r\n', ' ', '\t', '\0', ':', ';', '\x7f', '\xff', 'x']

export function randomCase(random: Random, marks: Marks): Case {
  const count = random.between(1, 4)
  const texts = Array.from({ length: count }, () => randomRequest(random, marks))
  let text = random.chance(0.05) ? `\r\n${texts.join('')}` : texts.join('')
  const isDamaged = random.chance(0.35)
  if (isDamaged) text = damage(random, text)
  const bytes = Buffer.from(text, 'latin1')
  const splits = Array.from({ length: random.between(0, 3) }, () => random.between(0, bytes.length))
  return { bytes, splits: splits.sort((a, b) => a - b), isDamaged }
}

function damage(random: Random, text: string): string {
  const at = random.between(0, text.length)
  const kind = random.pick(['cut', 'insert', 'drop', 'replace'])
  if (kind === 'cut') return text.slice(0, at)
  const after = kind === 'insert' ? at : at + 1
  return text.slice(0, at) + (kind === 'drop' ? '' : random.pick(insertions)) + text.slice(after)
}

function randomRequest(random: Random, marks: Marks): string {
  const method = random.chance(0.02)
    ? random.pick(['get', 'FOO', 'G ET', ''])
    : random.pick(methods)
  const { target: path, header } = marks.next()
  const target = random.chance(0.05) ? `http://a.test${path}` : path
  const version = random.chance(0.08) ? random.pick(['1.0', '1.2', '2.0', '0.9', '1.1 ']) : '1.1'
  const content = random.chance(0.7) ? marks.smuggled.repeat(random.between(1, 3)) : ''
  const { lines, body } = frame(random, content)
  const headers = shuffle(random, [
    ...(random.chance(0.97) ? ['Host: a.test'] : []),
    ...(random.chance(0.02) ? ['Host: b.test'] : []),
    ...lines,
    header,
    ...(random.chance(0.25) ? [`Connection: ${random.pick(connections)}`] : []),
    ...(random.chance(0.08) ? [`Expect: ${random.pick(expectations)}`] : []),
    ...(random.chance(0.05) ? [`Upgrade: ${random.pick(['websocket', 'h2c', 'foo'])}`] : []),
    ...(random.chance(0.05) ? ['X-Folded: one\r\n two'] : []),
    ...(random.chance(0.1) ? ['Cookie: a=b'] : []),
    ...(random.chance(0.1) ? ['Trailer: X-After', 'TE: trailers'] : []),
  ])
  return [`${method} ${target} HTTP/${version}`, ...headers, '', body].join('\r\n')
}

/** Mostly well, and otherwise framed in ways that readers have been known to differ about. */
function frame(random: Random, content: string): { lines: string[]; body: string } {
  const kind = random.between(1, 100)
  const length = (): string[] => [`Content-Length: ${content.length}`]
  const coding = (): string[] => ['Transfer-Encoding: chunked']
  if (kind <= 20) return { lines: [], body: '' }
  if (kind <= 45) return { lines: length(), body: content }
  if (kind <= 70) return { lines: coding(), body: chunk(random, content) }
  if (kind <= 80) return { lines: random.pick(lengthSpellings)(content.length), body: content }
  if (kind <= 90) return { lines: random.pick(codingSpellings), body: chunk(random, content) }
  if (kind <= 95) return { lines: [...length(), ...coding()], body: chunk(random, content) }
  // Unframed, or longer or shorter than it says: what follows is read as it stands.
  const said = Math.max(0, content.length + random.pick([-5, 3, -content.length]))
  return { lines: [`Content-Length: ${said}`], body: content }
}

function chunk(random: Random, content: string): string {
  let text = ''
  for (let at = 0; at < content.length;) {
    const piece = content.slice(at, at + random.between(1, content.length))
    const size = piece.length.toString(16)
    const extension = random.chance(0.05) ? ';a=b' : ''
    text += `${random.chance(0.1) ? size.toUpperCase() : size}${extension}\r\n${piece}\r\n`
    at += piece.length
  }
  return `${text}0\r\n${random.chance(0.05) ? 'X-After: 1\r\n' : ''}\r\n`
}

function shuffle<T>(random: Random, values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, place: random.between(0, 1_000_000) }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value)
}
