import { expirationSchema } from '@floe/contracts'
import fc from 'fast-check'

/** What no JSON serialiser writes; `writeJson` puts the text there as it is. */
export function literally(text: string): string {
  return `\ue000${text}\ue000`
}

export function writeJson(value: unknown): string {
  const text = JSON.stringify(value) ?? ''
  return text.replace(/"\ue000([^\ue000]*)\ue000"/g, '$1')
}

function nest(depth: number, open: string, close: string): string {
  return literally(open.repeat(depth) + close.repeat(depth))
}

const strings = [
  '',
  ' ',
  'a\u0000b',
  '\u0000',
  'line\r\nX-Injected: yes',
  '\u001b[31mred',
  'bidi\u202eexe.txt',
  '\u2066isolated',
  '\ud800',
  'high\udbff and low \udc00 apart',
  '\ufeff\ufffe\uffff',
  '\u{1f4a9}'.repeat(40),
  'e\u0301'.repeat(500),
  'x'.repeat(300),
  'x'.repeat(20_000),
  '\u{10ffff}'.repeat(5_000),
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  '-1',
  '1e309',
  '0x10',
  '9007199254740993',
  '99999-years',
  '0-days',
  '+275760-09-13T00:00:00.001Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999+14:00',
  '../../etc/passwd',
  '..\\..\\boot.ini',
  "'; drop table users; --",
  '%',
  '%_\\',
  '${7*7}{{7*7}}',
  '<script>alert(1)</script>',
  '00000000-0000-0000-0000-000000000000',
  '{"a":1}',
]

const others: unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  -0.5,
  1.5,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e21,
  5e-324,
  ...['1e999', '-1e999', '-0', '0e0', '123456789012345678901234567890'].map(literally),
  [],
  [null],
  ['a', 'a'],
  {},
  { toString: 1, valueOf: null },
  { length: 1e9 },
  literally('{"__proto__":{"isAdmin":true}}'),
  literally('{"constructor":{"prototype":{"isAdmin":true}}}'),
  literally('{"a":1,"a":2}'),
  Array.from({ length: 2_000 }, () => 0),
  nest(1_000, '[', ']'),
  nest(1_000, '{"a":[', ']}'),
]

/** Texts alone. */
export const hostileString: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...strings) },
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
)

/** Whatever JSON can say, and some of what it cannot. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...others) },
  { weight: 2, arbitrary: hostileString },
  fc.jsonValue({ maxDepth: 3 }),
  fc.double(),
)

export const hostileName: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '', '0', 'length'],
    ...['id', 'isAdmin', 'creatorId', 'userId', 'views', 'state', 'storageLimit', 'totpVerified'],
  ),
  hostileString,
)

/**
 * Written into a path as they are. Together with the longest header no request is too long, and none
 * has a byte that no request may have: what a server says then is not about its routes.
 */
export const hostileSegment: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...['%2e%2e%2f', '%2e%2e', '..', '.', '..%2f..%2f..%2fetc%2fpasswd', '..%5c..%5cboot.ini'],
    ...['%00', 'abc%00def', '%0d%0aX-Injected:%20yes', '%', '%f', '%ff', '%e0%a4%a', '%c0%af'],
    ...['%ed%a0%80', '%f0%9f%98%80', '%20', '%2520', "'%20or%201=1--", '__proto__', 'constructor'],
    ...['*', '(.*)', ':id', 'a;b=c', 'a,b', 'share%2fzip', 'all', 'me', 'zip', '-1', '0', 'NaN'],
    ...['x'.repeat(101), 'x'.repeat(1_500), '1e999', '', '//', '?', '#a'],
    ...['00000000-0000-4000-8000-000000000000', 'null', 'undefined', '[object%20Object]'],
  ),
  fc.uuid(),
  hostileString.map((text) => escapeAll(text.slice(0, 200))),
)

/** Percent-encodes the UTF-8 bytes, lone surrogates as what they become there. */
export function escapeAll(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte)
      if (/[A-Za-z0-9_.~-]/.test(character)) return character
      return `%${byte.toString(16).padStart(2, '0')}`
    })
    .join('')
}

/** Whole queries, and pairs that spoil one. */
export const hostileQuery: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...['%', '=', '&&&', '?', 'a', '=b', 'a=%ff', 'a=%00', '%00=a', 'a=%', 'a==b', '+', 'a[]='],
    ...['__proto__=1', '__proto__[isAdmin]=true', 'constructor[prototype][a]=1', 'a[b][c]=1'],
    ...['a[0]=1&a[1]=2', 'limit=NaN', 'limit=1e999', 'limit[]=1', 'offset=-0', 'limit=0x10'],
    ...[`a=${'x'.repeat(1_500)}`, 'a=1&'.repeat(400), 'a=%ed%a0%80'],
  ),
  fc
    .tuple(hostileName, hostileString)
    .map(([name, value]) => `${escapeAll(name.slice(0, 200))}=${escapeAll(value.slice(0, 200))}`),
)

const headerValue: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...['', ' ', ',', ';', '"', '*', '\x80\xff', '%0d%0a', '__proto__', 'null', '-1', '1e999'],
    ...['bytes=0-', 'bytes=-1', 'bytes=5-2', 'bytes=0-0,2-3', 'bytes=99999999999999999999-', 'a=b'],
    ...['W/"a"', '"a", "b"', 'Thu, 01 Jan 1970 00:00:00 GMT', 'Sun, 99 Foo 99999 99:99:99 GMT'],
    ...['x'.repeat(1_500), 'a,'.repeat(700), 'gzip', 'gzip;q=nan', 'de;q=9', 'de-'.repeat(500)],
    ...[
      'http://a',
      'null',
      'cross-site',
      '9007199254740993',
      '0',
      '1',
      '2',
      'HEAD',
      'TRACE',
      'GET',
    ],
    ...['sha1 AAAA', 'crc32 ', 'md5', 'final;', 'partial', 'final;/api/uploads/a /api/uploads/b'],
    ...['filename', 'filename %%%', 'shareId AAAA,shareId AAAA', 'filename YQ==,filename', 'a b c'],
  ),
  hostileString.map((text) => text.slice(0, 200)),
)

/** Framing has tests of its own: nothing here says how long a body is or what becomes of it. */
const headerNames = [
  ...['Accept', 'Accept-Encoding', 'Accept-Language', 'Authorization', 'Content-Encoding'],
  ...['Content-Language', 'Content-Type', 'If-Match', 'If-Modified-Since', 'If-None-Match'],
  ...['If-Range', 'If-Unmodified-Since', 'Origin', 'Range', 'Referer', 'Sec-Fetch-Site'],
  ...['Tus-Resumable', 'Upload-Checksum', 'Upload-Concat', 'Upload-Defer-Length'],
  ...['Upload-Length', 'Upload-Metadata', 'Upload-Offset', 'User-Agent', 'X-Forwarded-Host'],
  ...['X-Forwarded-Proto', 'X-HTTP-Method-Override', 'X-Internal-Secret', 'X-Real-Ip'],
  ...['X-Request-Id', 'Forwarded', 'Want-Repr-Digest', 'Content-Range', 'Cache-Control'],
]

export const hostileHeader = fc.tuple(fc.constantFrom(...headerNames), headerValue)
export const hostileHeaderValue = headerValue

export const hostileCookie: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...[
      '=',
      ';',
      'a=b; ;;=;',
      'access_token=%',
      'access_token=a.b.c',
      'access_token="',
      '__proto__=1',
    ],
    ...['access_token=eyJhbGciOiJub25lIn0.e30.', 'access_token=eyJ9.eyJ9.eyJ9', 'language=%00'],
    ...['refresh_token=x', `access_token=${'x'.repeat(1_500)}`, 'reverse_share_token=__proto__'],
    ...['device=%ff', 'reverse_share_token=%00', 'refresh_token=%00; access_token=%00', 'a'],
  ),
  fc
    .tuple(
      fc.constantFrom('access_token', 'refresh_token', 'device', 'reverse_share_token', 'language'),
      hostileString,
    )
    .map(([name, value]) => `${name}=${escapeAll(value.slice(0, 200))}`),
)

/** Bodies that are no JSON, or hardly. */
export const brokenJson = fc.constantFrom(
  ...['', ' ', '{', '{"a":', '[1,]', 'undefined', '{"a":1}}', '\u0000', "{'a':1}", '{"a":NaN}'],
  ...[
    '"text"',
    '7',
    'true',
    'null',
    '\ufeff{}',
    '{"a":"\u0001"}',
    '{"\\u0000":1}',
    '[[[[',
    '\xff\xfe',
  ],
  ...['{"__proto__":null}', '{"a":1,"a":[]}', `{"a":"${'x'.repeat(100_001)}"}`, '['.repeat(50_000)],
)

export const hostileContentType = fc.constantFrom(
  ...[
    'text/plain',
    'application/json; charset=utf-16',
    'application/json; charset=nope',
    '',
    '*/*',
  ],
  ...['application/x-www-form-urlencoded', 'multipart/form-data', 'multipart/form-data; boundary='],
  ...['multipart/form-data; boundary=x', 'application/json;', 'application/json, text/plain'],
  ...['application/problem+json', 'application/octet-stream', 'application/offset+octet-stream'],
  ...['text/html; charset=\xff', 'application/json; charset="utf-8', 'JSON', 'application/xml'],
)

/** Ends that are right, so that shares are made. */
export const shortExpiration = fc
  .constantFrom('never', '1-day', '7-days', '2-hours', '1-year', '12-months', '5-minutes')
  .filter((text) => expirationSchema.safeParse(text).success)
