import { expect, it } from 'vitest'
import { createThumbnailer } from './thumbnailer.ts'

it('tells once, and asks no more, where nothing can decode pictures', async () => {
  const warnings: object[] = []
  let starts = 0
  const thumbnailer = createThumbnailer({
    log: { debug: () => undefined, warn: (fields) => void warnings.push(fields) },
    startChild: () => {
      starts += 1
      return {
        isGone: () => false,
        nextResponse: async () => ({ type: 'unavailable', reason: 'no libvips' }),
        send: async () => false,
        kill: async () => undefined,
      }
    },
  })
  const picture = { sizeBytes: 1, read: async () => 1 }
  const { signal } = new AbortController()
  for (let turn = 0; turn < 3; turn++) {
    const outcome = await thumbnailer.make(picture, { signal })
    expect(outcome).toEqual({ state: 'unavailable', reason: 'no libvips' })
  }
  expect(await thumbnailer.isAvailable()).toBe(false)
  expect({ warnings, starts }).toEqual({ warnings: [{ reason: 'no libvips' }], starts: 1 })
  await thumbnailer.stop()
})
