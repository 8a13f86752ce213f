import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import {
  deflateZeros,
  putDeflated,
  putEntry,
  putZeros,
  pythonCheck,
  pythonRead,
  removeArchives,
  withSegment,
  writeArchive,
} from '../../testing/archive-files.ts'

const run = promisify(execFile)
afterAll(removeArchives)

describe('an archive', () => {
  test('with a deflated file over 4 GiB, larger than the whole archive, is accepted', async () => {
    const sizeBytes = 2 ** 32 + 3
    const zerosEntry = await putZeros('deflated zeros.bin', sizeBytes)
    const file = await writeArchive([
      await putDeflated('before.txt', Buffer.from('before '.repeat(100)), 9),
      await withSegment(zerosEntry, deflateZeros(sizeBytes)),
      await putDeflated('behind.txt', Buffer.from('behind '.repeat(100)), 1),
    ])
    // One judge reads all of it, which takes a while; the others must find their way in it.
    await expect(run('unzip', ['-tqq', file])).resolves.toBeDefined()
    await run('7z', ['t', '-bd', file, 'behind.txt'])
    const { stdout } = await run('python3', ['-c', pythonRead, file, 'behind.txt'])
    expect(stdout).toBe('behind '.repeat(100))
    const listed = await run('python3', ['-m', 'zipfile', '-l', file])
    expect(listed.stdout).toContain(String(sizeBytes))
  }, 240_000)

  test('of more files than 16 bits count is accepted', async () => {
    const shared = await putEntry('0', Buffer.from('shared'))
    const entries = Array.from({ length: 66_000 }, (_, index) => ({
      ...shared,
      path: `${index % 7}/${index}.txt`,
    }))
    const file = await writeArchive(entries)
    await expect(run('unzip', ['-tqq', file])).resolves.toBeDefined()
    await expect(run('7z', ['t', '-bd', file])).resolves.toBeDefined()
    await expect(run('python3', ['-c', pythonCheck, file])).resolves.toBeDefined()
  }, 120_000)

  test('with a file over 4 GiB and files behind it is accepted', async () => {
    const behind = randomBytes(1_000).toString('hex')
    const file = await writeArchive([
      await putEntry('before.bin', randomBytes(1_000)),
      await putZeros('four gibibytes.bin', 4 * 2 ** 30 + 3),
      await putEntry('behind.txt', Buffer.from(behind)),
      await putEntry('empty behind.bin', Buffer.alloc(0)),
    ])
    await expect(run('python3', ['-c', pythonCheck, file])).resolves.toBeDefined()
    await expect(run('unzip', ['-tqq', file, 'behind.txt', '*behind.bin'])).resolves.toBeDefined()
    const { stdout } = await run('python3', ['-c', pythonRead, file, 'behind.txt'])
    expect(stdout).toBe(behind)
  }, 180_000)
})
