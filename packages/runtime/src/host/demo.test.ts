import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configCatalogue } from '@floe/contracts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { claimDirectory, clearDirectory, demoSettings, nextReset } from './demo.ts'

test('everything is deleted at full hours', () => {
  const at = (time: string) => Date.parse(`2026-11-25T${time}Z`)
  expect(nextReset(at('14:00:00.001'), 3_600_000)).toBe(at('15:00:00'))
  expect(nextReset(at('14:59:59.999'), 3_600_000)).toBe(at('15:00:00'))
  expect(nextReset(at('15:00:00'), 3_600_000)).toBe(at('16:00:00'))
})

describe('the settings of a demo', () => {
  const settings = demoSettings({
    settings: {
      'general.appName': 'Try',
      'share.maxExpiration': 0,
      'smtp.host': 'mail.example.org',
    },
    publicUrl: 'https://demo.example.org',
  })

  test('fix all that reaches outward, whatever the operator set', () => {
    const outward = Object.keys(configCatalogue).filter((key) => /^(?:smtp|oauth)\./.test(key))
    expect(outward.filter((key) => !(key in settings))).toEqual([])
    expect(outward.filter((key) => key.endsWith('-enabled') && settings[key] !== false)).toEqual([])
    // Names that end in .invalid lead nowhere (RFC 6761).
    expect(settings['smtp.host']).toMatch(/\.invalid$/)
    expect(settings['general.releaseRepository']).toBe('')
    expect(settings['general.appUrl']).toBe('https://demo.example.org')
  })

  test('keep shares small and short, and leave the operator the rest', () => {
    expect(settings).toMatchObject({
      'share.maxExpiration': 1,
      'share.fileRetentionPeriod': 0,
      'share.adminsMayExceedExpiration': false,
      'share.maxSize': 100_000_000,
      'share.userStorageLimit': 200_000_000,
      'general.appName': 'Try',
    })
    expect(demoSettings({ settings: {}, publicUrl: null })).not.toHaveProperty(['general.appUrl'])
  })
})

describe('the data directory of a demo', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'floe-demo-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  test('is a new or an empty one, or that of a demo, and is emptied', async () => {
    const data = join(folder, 'data')
    await claimDirectory(data)
    await mkdir(join(data, 'postgres'))
    writeFileSync(join(data, 'secret.key'), 'a')
    await claimDirectory(data)
    await clearDirectory(data)
    expect(readdirSync(data)).toEqual(['demo'])
  })

  test('is never that of an installation with data to lose', async () => {
    writeFileSync(join(folder, 'secret.key'), 'kept')
    await expect(claimDirectory(folder)).rejects.toThrow('set DATA_DIR to an empty folder')
    expect(readdirSync(folder)).toEqual(['secret.key'])
  })
})
