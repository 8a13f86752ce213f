import { expect, test } from 'vitest'
import { judgeOrigin } from './cross-site.ts'

const own = 'files.example.com'

test.each([
  ['a script without either header', undefined, undefined, 'pass'],
  ['the page itself', 'https://files.example.com', 'same-origin', 'pass'],
  ['the page itself in an old browser', 'https://files.example.com', undefined, 'pass'],
  [
    'the page with the default port spelled out',
    'https://files.example.com:443',
    undefined,
    'pass',
  ],
  ['an address typed by a person', undefined, 'none', 'pass'],
  ['another site', 'https://evil.example', 'cross-site', 'refuse'],
  ['another site, by Fetch Metadata alone', undefined, 'cross-site', 'refuse'],
  ['another site that names us', 'https://files.example.com', 'cross-site', 'refuse'],
  ['another site in an old browser', 'https://evil.example', undefined, 'unknown-origin'],
  ['another site that claims to be ours', 'https://evil.example', 'same-origin', 'unknown-origin'],
  ['a sibling subdomain', 'https://blog.example.com', 'same-site', 'unknown-origin'],
  ['a sibling subdomain without Origin', undefined, 'same-site', 'refuse'],
  ['another port', 'https://files.example.com:8443', undefined, 'unknown-origin'],
  ['a longer name', 'https://files.example.com.evil.example', undefined, 'unknown-origin'],
  ['a sandboxed frame', 'null', undefined, 'refuse'],
  ['a file', 'file://', undefined, 'refuse'],
  ['nonsense', 'files.example.com', undefined, 'refuse'],
  ['an empty Origin', '', undefined, 'refuse'],
] as const)('judges %s', (_who, origin, fetchSite, verdict) => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'PURGE']) {
    expect(judgeOrigin({ method, host: own, origin, fetchSite })).toBe(verdict)
  }
  for (const method of ['GET', 'HEAD', 'OPTIONS']) {
    expect(judgeOrigin({ method, host: own, origin, fetchSite })).toBe('pass')
  }
})

test('compares ports that are not the default', () => {
  const at = (host: string, origin: string) =>
    judgeOrigin({ method: 'POST', host, origin, fetchSite: undefined })
  expect(at('localhost:3000', 'http://localhost:3000')).toBe('pass')
  expect(at('localhost:3000', 'http://localhost:3001')).toBe('unknown-origin')
  expect(at('localhost', 'http://localhost:3000')).toBe('unknown-origin')
  expect(at('Files.Example.com:80', 'http://files.example.com')).toBe('pass')
  expect(at('', 'http://files.example.com')).toBe('unknown-origin')
})
