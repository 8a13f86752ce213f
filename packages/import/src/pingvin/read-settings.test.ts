import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { usePingvin } from '../testing/read-pingvin.ts'
import { openPingvin } from './open-pingvin.ts'
import { translateSettings } from './read-settings.ts'

const { writePingvin, read } = usePingvin()

const row = (category: string, name: string, value: string | null, order = 0) => ({
  ...{ category, name, value, order },
  type: 'string',
})
const rows = {
  Config: [
    row('general', 'appName', 'In the database'),
    row('general', 'appUrl', 'https://old.example.org', 1),
    row('smtp', 'host', 'mail.example.org'),
    row('share', 'maxSize', null),
    row('internal', 'jwtSecret', 'secret'),
  ],
}
const toPairs = (settings: readonly { key: string; value: string }[]) =>
  settings.map(({ key, value }) => `${key}=${value}`)

test.each(['B', 'X'] as const)(
  'a category of config.yaml hides that of the database, %s',
  async (version) => {
    const config = `
general:
  appName: In the file
  showHomePage: "false"
share:
  maxExpiration: "7 days"
  maxSize: 1000
`
    await read({ version, rows, config }, (source) => {
      expect(toPairs(source.settings())).toEqual([
        'smtp.host=mail.example.org',
        'general.appName=In the file',
        'general.showHomePage=false',
        'share.maxExpiration=168',
        'share.maxSize=1000',
      ])
      expect(source.product).toMatch(/ with .*config\.yaml$/)
      expect(source.losses()).toEqual([])
    })
  },
)

test.each([
  ['24', '24'],
  ['1 hours', '1'],
  ['7 days', '168'],
  ['2 weeks', '336'],
  ['3 months', '2160'],
  ['90 minutes', '2'],
  ['0 days', '0'],
  ['soon', 'soon'],
])('the timespan %s is %s hours', async (text, hours) => {
  const Config = [row('share', 'maxExpiration', text)]
  await read({ version: 'B', rows: { Config } }, (source) => {
    expect(toPairs(source.settings())).toEqual([`share.maxExpiration=${hours}`])
  })
})

test.each([
  ['30 days', '720'],
  ['0 days', '0'],
  ['-1 days', '1000000'],
])('files that were kept for %s after their end are kept for %s hours', async (text, hours) => {
  const Config = [row('share', 'fileRetentionPeriod', text)]
  await read({ version: 'X', rows: { Config } }, (source) => {
    expect(toPairs(source.settings())).toEqual([`share.fileRetentionPeriod=${hours}`])
  })
})

test('names of the fork are those of before', async () => {
  const config = 'security:\n  allowRegistration: "false"\n'
  await read({ version: 'X', rows: {}, config }, (source) => {
    expect(toPairs(source.settings())).toEqual(['share.allowRegistration=false'])
  })
})

test('the first account of the file and truth without quotes are told, and no secret is', async () => {
  const config = `
initUser:
  enabled: "true"
  password: first password
smtp:
  enabled: true
  allowUnauthorizedCertificates: false
  password:
`
  await read({ version: 'B', rows, config }, (source) => {
    expect(toPairs(source.settings())).toEqual([
      'general.appName=In the database',
      'general.appUrl=https://old.example.org',
      'smtp.enabled=false',
      'smtp.allowUnauthorizedCertificates=false',
    ])
    const [first, second, ...more] = source.losses()
    expect(first).toMatch(/config\.yaml: initUser is left out/)
    expect(second).toMatch(/smtp\.enabled is true without quotes/)
    expect(more).toEqual([])
  })
})

test('the file that is named is read instead of the one beside the database', async () => {
  const folder = await writePingvin({ version: 'B', rows, config: 'general: { appName: Beside }' })
  const named = join(folder, 'other.yml')
  await writeFile(named, 'general: { appName: Named }')
  const source = await openPingvin(folder, named)
  expect(toPairs(source.settings())).toContain('general.appName=Named')
  await source.close()
})

test('a file that is missing or no YAML is refused, and nothing in it is shown', async () => {
  const folder = await writePingvin({ version: 'B', rows, config: 'smtp: { password: "secret' })
  const refused = await openPingvin(folder).catch((error: Error) => error.message)
  expect(refused).toMatch(/config\.yaml cannot be read/)
  expect(refused).not.toContain('secret')
  await expect(openPingvin(folder, join(folder, 'none.yaml'))).rejects.toThrow(/cannot be read/)
})

const translate = (settings: Record<string, string>) =>
  Object.fromEntries(
    translateSettings(Object.entries(settings).map(([name, value]) => ({ name, value }))).map(
      ({ key, value }) => [key, value],
    ),
  )

test('the look of the fork comes under the names it has here', () => {
  expect(
    translate({
      'appearance.themePrimaryColor': 'grape',
      'appearance.themeColorScheme': 'dark',
      'appearance.customCss': 'a {}',
    }),
  ).toEqual({
    'appearance.accentColor': '#be4bdb',
    'appearance.colorScheme': 'dark',
    'appearance.customCss': 'a {}',
  })
})

test('a color that is written out comes before the one of the palette, in any order', () => {
  const [named, written] = [
    { 'appearance.themePrimaryColor': 'grape' },
    { 'appearance.themePrimaryColorOverride': '#123456' },
  ]
  for (const settings of [
    { ...named, ...written },
    { ...written, ...named },
  ]) {
    expect(translate(settings)).toEqual({ 'appearance.accentColor': '#123456' })
  }
  expect(translate({ 'appearance.themePrimaryColor': 'victoria' })).toEqual({})
})

test.each([
  ['de-DE', 'de'],
  ['pt-BR', 'pt-BR'],
  ['zh-TW', 'zh-TW'],
  ['es-ES', 'es-ES'],
  ['et-EE', 'et-EE'],
])('the language %s of the fork is %s', (theirs, ours) => {
  expect(translate({ 'general.defaultLanguage': theirs })).toEqual({
    'general.defaultLanguage': ours,
  })
})

test('the short form for all reverse shares is a choice here', () => {
  expect(translate({ 'share.reverseShareSimpleOnly': 'true' })).toEqual({
    'share.reverseShares': 'simple',
  })
})
