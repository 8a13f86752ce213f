import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type PingvinData, type RunningFloe, startFloe } from '@floe/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runCommand } from '../../world/command.ts'
import { createClient } from '../../world/http-client.ts'
import { sharesOf } from '../../world/pingvin-data.ts'
import { expectWhole, importPingvin, usePingvin } from '../../world/pingvin.ts'
import { openShare } from '../../world/shares.ts'
import { verify } from '../../world/verify.ts'

const NOBODY = 65_534

describe('the bytes of an import', () => {
  let floe: RunningFloe
  const directories: string[] = []
  const write = usePingvin()
  beforeAll(async () => {
    floe = await startFloe({ arrangement: 'embedded' })
  })
  afterAll(async () => {
    await floe?.stop()
    for (const directory of directories) await rm(directory, { recursive: true, force: true })
  })

  const fetchFile = async (data: PingvinData, index: number) => {
    const { id, shareId } = data.rows.File?.[index] ?? {}
    const visitor = createClient(floe.url)
    await openShare(visitor, String(shareId))
    const path = `/api/shares/${String(shareId)}/files/${String(id)}`
    return (await visitor.send('GET', path)).bytes
  }

  test('links files instead of copying them, and moves them', async () => {
    const linked = sharesOf('linked', 2, 10_000)
    const source = await write(linked)
    const pathOf = (data: PingvinData, index: number) =>
      join(source, 'uploads/shares', Object.keys(data.files ?? {})[index] ?? '')
    const tried = await importPingvin(floe, source, '--link', '--dry-run', '--json')
    expect(JSON.parse(tried.lines.join('\n'))).toMatchObject({
      bytes: 20_000,
      estimate: { copiedBytes: 0, freeBytes: expect.any(Number) },
    })
    expect((await stat(pathOf(linked, 0))).nlink).toBe(1)
    expect(await importPingvin(floe, source, '--link')).toMatchObject({ code: 0 })
    expect((await stat(pathOf(linked, 0))).nlink).toBe(2)
    expect(await fetchFile(linked, 1)).toEqual(await readFile(pathOf(linked, 1)))

    const moved = sharesOf('moved', 2, 10_000)
    const from = await write(moved)
    expect(await importPingvin(floe, from, '--move')).toMatchObject({ code: 0 })
    expect(await fetchFile(moved, 1)).toHaveLength(10_000)
    const { shareId } = moved.rows.File?.[0] ?? {}
    expect(await readdir(join(from, 'uploads/shares', String(shareId)))).toEqual([])
    expect((await verify(floe.dataDirectory)).code).toBe(0)
  })

  test('an installation that was never started gets them as well', async () => {
    const data = sharesOf('early', 1, 100)
    const directory = await mkdtemp(join(tmpdir(), 'floe-import-'))
    directories.push(directory)
    const source = await write(data)
    expect(await importPingvin({ dataDirectory: directory }, source)).toMatchObject({ code: 0 })
    expect((await verify(directory)).lines).toEqual([expect.stringMatching(/^checked 1 file,/)])
  })

  test('an ordinary user who may only read the folder imports it', async () => {
    const source = await write(sharesOf('read-only', 2, 10_000))
    await promisify(execFile)('chmod', ['-R', 'a=rX', source])
    const directory = await mkdtemp(join(tmpdir(), 'floe-import-'))
    directories.push(directory)
    const uid = process.getuid?.() || NOBODY
    const environment = {
      DATA_DIR: directory,
      PUID: String(uid),
      PGID: String(uid),
      TMPDIR: directory,
    }
    const run = (...args: string[]) => runCommand('import', environment, 'pingvin', source, ...args)
    // Links would give the files another owner's name; they are copied.
    expectWhole(await run('--link'))
    expect((await stat(directory)).uid).toBe(uid)
    expect((await verify(directory, '--deep')).lines).toEqual([
      expect.stringMatching(/^checked 2 files, .*: no differences$/),
    ])
    await promisify(execFile)('chmod', ['-R', 'u+w', source])
  })
})
