import { describe, expect, it } from 'vitest'

import { explainFileError, explainServerOutput } from './failures.ts'

describe('explainFileError', () => {
  it.each([
    ['EACCES', '/data/postgres', 'Floe has no permission to write to /data/postgres;'],
    ['EROFS', '/data/postgres', '/data/postgres is on a read-only file system;'],
    ['ENOSPC', '/data/postgres', 'The disk that holds /data is full;'],
    ['ENOTDIR', '/data/postgres', '/data/postgres is not a folder,'],
  ])('gives %s a sentence', (code, path, beginning) => {
    const error = Object.assign(new Error(code), { code, path })

    expect(explainFileError(error, '/data')?.message.startsWith(beginning)).toBe(true)
  })

  it('leaves other errors alone', () => {
    expect(explainFileError(new TypeError('bug'), '/data')).toBeUndefined()
  })
})

describe('explainServerOutput', () => {
  it('recognises a full disk in what initdb prints', () => {
    const output = [
      'creating configuration files ... ok',
      'initdb: error: could not write file "/d/global/pg_control": No space left on device',
      'initdb: removing contents of data directory "/d"',
    ].join('\n')

    expect(explainServerOutput(output, '/data').message).toBe(
      'The disk that holds /data is full; free some space and start again.',
    )
  })

  it('picks the reason out of a server log', () => {
    const output = [
      '2026-11-20 16:04:42.435 UTC [6120] FATAL:  data directory "/d" has wrong ownership',
      '2026-11-20 16:04:42.435 UTC [6120] HINT:  The server must be started by the owner.',
    ].join('\n')

    expect(explainServerOutput(output, '/data').message).toBe(
      'The embedded PostgreSQL in /data could not start: data directory "/d" has wrong ownership.',
    )
  })

  it('still makes a sentence when nothing was printed', () => {
    expect(explainServerOutput('', '/data').message).toBe(
      'The embedded PostgreSQL in /data could not start: it printed nothing.',
    )
  })
})
