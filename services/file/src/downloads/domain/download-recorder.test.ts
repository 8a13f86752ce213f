import type { ReadGrant } from '@floe/contracts'
import { expect, test, vi } from 'vitest'
import { createDownloadRecorder } from './download-recorder.ts'
import type { Downloaded } from './download-ports.ts'

const fileId = 'a file'

function openRecorder() {
  const recorded: string[] = []
  const counted: Downloaded[] = []
  const warnings: string[] = []
  const world = { nowMs: 0, isBroken: false, recorded, counted, warnings }
  const recorder = createDownloadRecorder({
    count: (downloaded) => void counted.push(downloaded),
    record: async (shareUid) => {
      if (world.isBroken) throw new Error('the database is away')
      recorded.push(shareUid)
    },
    log: { warn: (_fields, text) => void warnings.push(text) },
    clock: () => new Date(world.nowMs),
  })
  const begin = (shareUid: string, { isOwner = false, start = 0 } = {}) =>
    recorder.begun({ shareUid, isOwner } as ReadGrant, { fileId, start })
  return { world, begin }
}

test('records a share once a minute, and each share by itself', () => {
  const { world, begin } = openRecorder()
  for (const nowMs of [0, 30_000, 59_999, 60_000, 90_000]) {
    world.nowMs = nowMs
    begin('a')
  }
  begin('b')
  expect(world.recorded).toEqual(['a', 'a', 'b'])
})

test('counts each download, however many there are within a minute', () => {
  const { world, begin } = openRecorder()
  for (const shareUid of ['a', 'a', 'b', 'a']) begin(shareUid)
  expect(world.counted.map(({ shareUid }) => shareUid)).toEqual(['a', 'a', 'b', 'a'])
  expect(world.counted[0]).toEqual({ shareUid: 'a', fileId })
})

test('records and counts neither what its owner reads nor the rest of an interrupted download', () => {
  const { world, begin } = openRecorder()
  begin('a', { isOwner: true })
  begin('a', { start: 1 })
  expect(world).toMatchObject({ recorded: [], counted: [] })
})

test('tries again with the next download when recording failed', async () => {
  const { world, begin } = openRecorder()
  world.isBroken = true
  begin('a')
  await vi.waitFor(() => expect(world.warnings).toHaveLength(1))
  world.isBroken = false
  begin('a')
  expect(world.recorded).toEqual(['a'])
})

test('remembers no share for longer than it is quiet', () => {
  const { world, begin } = openRecorder()
  for (let share = 0; share < 5_000; share += 1) {
    world.nowMs += 1_000
    begin(`share ${share}`)
  }
  expect(world.recorded).toHaveLength(5_000)
  begin('share 4999')
  expect(world.recorded).toHaveLength(5_000)
})
