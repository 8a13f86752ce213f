import { describe, expect, test } from 'vitest'
import { decodeMetadata, readByteCount, readChecksum, readConcatenation } from './headers.ts'

const request = (headers: Record<string, string>) => ({ get: (name: string) => headers[name] })

const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('a count of bytes', () => {
  const read = (text: string) => readByteCount(request({ 'Upload-Length': text }), 'Upload-Length')

  test('is digits within what numbers hold exactly', () => {
    expect(read('0')).toBe(0)
    expect(read('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER)
    expect(readByteCount(request({}), 'Upload-Length')).toBeNull()
  })

  test.each(['', ' 1', '-1', '+1', '1.0', '1e3', '0x1', '9007199254740992', '1, 2', '١'])(
    'is not "%s"',
    (text) => {
      expect(() => read(text)).toThrow()
    },
  )
})

describe('metadata', () => {
  test('is pairs of key and base64 value; a value may be absent', () => {
    expect(decodeMetadata(`filename ${base64('ü.txt')}, empty,b `)).toEqual({
      filename: 'ü.txt',
      empty: '',
      b: '',
    })
    expect(decodeMetadata(undefined)).toEqual({})
  })

  test.each(['a !', 'a YQ== YQ==', 'a YQ==,a YQ==', 'a a=b', `a ${base64('\xff')}=x`])(
    'is not "%s"',
    (text) => {
      expect(() => decodeMetadata(text)).toThrow()
    },
  )

  test('keeps names of the prototype as plain members', () => {
    const metadata = decodeMetadata(`__proto__ ${base64('x')},constructor ${base64('y')}`)
    expect(Object.keys(metadata)).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf(metadata)).toBe(Object.prototype)
  })
})

describe('a checksum', () => {
  const read = (text: string) => readChecksum(request({ 'Upload-Checksum': text }))

  test('is an algorithm we know and a base64 digest', () => {
    expect(read('SHA1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=')?.algorithm).toBe('sha1')
    expect(readChecksum(request({}))).toBeNull()
  })

  test.each(['md5', 'md5 ', 'md5 *', 'md5 AA== AA==', 'crc64 AA==', '', 'toString AA=='])(
    'is not "%s"',
    (text) => {
      expect(() => read(text)).toThrow()
    },
  )
})

describe('concatenation', () => {
  const read = (text: string) => readConcatenation(request({ 'Upload-Concat': text }))

  test('is partial, or final with the uploads in order, by path or by URL', () => {
    expect(read('partial')).toEqual({ kind: 'partial' })
    expect(read('final;/api/uploads/b https://x.test/sub/api/uploads/a?x=1')).toEqual({
      kind: 'final',
      uploadIds: ['b', 'a'],
    })
    expect(readConcatenation(request({}))).toBeNull()
  })

  test.each(['final;', 'final;/api/uploads/', 'final;/api/uploads/a/b', 'partial;x', 'final;x'])(
    'is not "%s"',
    (text) => {
      expect(() => read(text)).toThrow()
    },
  )
})
