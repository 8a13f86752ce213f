import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createDeflater } from './deflater.ts'
import { looksCompressible } from './sample-file.ts'

const deflater = createDeflater({ concurrency: 2 })
const MiB = 1024 * 1024

/** Tells the verdict and how much was read for it. */
async function look(content: Buffer) {
  let readBytes = 0
  const source = {
    read: async (buffer: Uint8Array, position: number) => {
      readBytes += buffer.length
      return content.copy(buffer, 0, position, position + buffer.length)
    },
  }
  const sizeBytes = content.length
  const verdict = await looksCompressible(source, { sizeBytes, level: 6, deflater })
  return { verdict, readBytes }
}

describe('a look at a file', () => {
  test.each([100_000, MiB, 5 * MiB, 40 * MiB])(
    'tells compressed content of %i bytes from text by a sixteenth of it',
    async (sizeBytes) => {
      const compressed = await look(randomBytes(sizeBytes))
      const text = await look(Buffer.alloc(sizeBytes, 'some text that repeats itself. '))
      expect([compressed.verdict, text.verdict]).toEqual([false, true])
      expect(compressed.readBytes).toBeLessThanOrEqual(sizeBytes / 16)
      expect(compressed.readBytes).toBeLessThanOrEqual(MiB)
    },
  )

  test('sees what shrinks in the second half only', async () => {
    const content = Buffer.concat([randomBytes(4 * MiB), Buffer.alloc(4 * MiB, 'text ')])
    expect((await look(content)).verdict).toBe(true)
  })

  test('lets small files be tried', async () => {
    expect(await look(randomBytes(50_000))).toEqual({ verdict: true, readBytes: 0 })
  })
})
