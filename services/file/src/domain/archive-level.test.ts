import { defaultSettings } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { expect, test } from 'vitest'
import { createArchiveLevel } from './archive-level.ts'

test('archives keep the level last heard of while the settings cannot be asked for', async () => {
  const answers: (number | null)[] = [null, 6, null, 9]
  const archiveLevel = createArchiveLevel({
    admin: {
      settings: async () => {
        const level = answers.shift() ?? null
        if (level === null) throw new AppError('upstream_unavailable')
        return { ...defaultSettings(), 'share.zipCompressionLevel': level }
      },
    },
  })
  await expect(archiveLevel()).rejects.toMatchObject({ code: 'upstream_unavailable' })
  expect([await archiveLevel(), await archiveLevel(), await archiveLevel()]).toEqual([6, 6, 9])
})
