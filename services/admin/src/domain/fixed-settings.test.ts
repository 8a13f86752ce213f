import { expect, test } from 'vitest'
import { findSettingProblems, fixForeignSettings } from './fixed-settings.ts'

const fix = (settings: Record<string, string>) => {
  const unknown: string[] = []
  const fixed = fixForeignSettings(
    Object.entries(settings).map(([key, value]) => ({ key, value })),
    (keys) => unknown.push(...keys),
  )
  return { fixed: Object.fromEntries(fixed), unknown }
}

test('texts of another product fix what they stand for', () => {
  expect(
    fix({ 'general.appName': 'Ice', 'smtp.port': '587', 'smtp.enabled': 'true', 'smtp.host': '' }),
  ).toEqual({
    fixed: {
      'general.appName': 'Ice',
      'smtp.port': '587',
      'smtp.enabled': 'true',
      'smtp.host': null,
    },
    unknown: [],
  })
})

test('names that there are not here are told, and hold up nothing', () => {
  const { fixed, unknown } = fix({ 'general.appName': 'Ice', 's3.bucketPath': 'x' })
  expect(unknown).toEqual(['s3.bucketPath'])
  expect(fixed).toEqual({ 'general.appName': 'Ice' })
})

test('a value that is none here is refused', () => {
  expect(() => fix({ 'smtp.port': 'many' })).toThrow()
})

test('every problem is told at once', () => {
  const problems = findSettingProblems({
    settings: {
      'general.colour': 'blue',
      'share.zipCompressionLevel': 10,
      'general.appName': 'Ice',
    },
    foreignSettings: [
      { key: 'smtp.port', value: 'many' },
      { key: 's3.bucketPath', value: 'unknown here' },
    ],
  })
  expect(problems).toHaveLength(3)
  for (const [index, named] of [
    'general.colour',
    'share.zipCompressionLevel',
    'smtp.port',
  ].entries()) {
    expect(problems[index]).toContain(named)
  }
  expect(findSettingProblems({ settings: {}, foreignSettings: [] })).toEqual([])
})
