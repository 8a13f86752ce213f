import { describe, expect, it } from 'vitest'
import { createPieces } from './pieces.ts'

const SIZE_BYTES = 10

/** Blocks of four bytes, each with what it was asked for. */
function start() {
  const made: number[] = []
  const pieces = createPieces(async (offset) => {
    made.push(offset)
    const end = Math.min(offset + 4, SIZE_BYTES)
    return { body: new Blob(['x'.repeat(end - offset)]), checksum: `${offset}` }
  }, SIZE_BYTES)
  return { pieces, made }
}

describe('pieces of a ciphertext', () => {
  it('are whole blocks, each made once, also where it was made ahead', async () => {
    const { pieces, made } = start()
    expect(await pieces.take(0, 100)).toMatchObject({ checksum: '0', blockOffset: 0 })
    await pieces.makeNext()
    await pieces.makeNext()
    expect(made).toEqual([0, 4])
    expect(await pieces.take(4, 100)).toMatchObject({ checksum: '4', blockOffset: 4 })
    expect(await pieces.take(8, 100)).toMatchObject({ checksum: '8', body: { size: 2 } })
    await pieces.makeNext()
    expect(made).toEqual([0, 4, 8])
  })

  it('stay the same while the server has not got them', async () => {
    const { pieces } = start()
    const { body } = await pieces.take(0, 100)
    await pieces.makeNext()
    expect((await pieces.take(0, 100)).body).toBe(body)
  })

  it('are parts of a block, without its checksum, where less may be sent at once', async () => {
    const { pieces, made } = start()
    expect(await pieces.take(0, 3)).toMatchObject({ checksum: null, body: { size: 3 } })
    expect(await pieces.take(3, 3)).toMatchObject({ checksum: null, body: { size: 1 } })
    expect(made).toEqual([0])
  })

  it('are made anew where another one was made ahead', async () => {
    const { pieces, made } = start()
    await pieces.take(0, 100)
    await pieces.makeNext()
    await pieces.take(8, 100)
    expect(made).toEqual([0, 4, 8])
  })
})
