import { expect, test } from 'vitest'
import { commandLineSetup, screenshotScript, shareXFile } from './token-tools.ts'

const tool = { address: 'https://files.example.org:8443/floe', token: 'floe_abc' }

test('a ShareX file names the site, the token and where the link is', () => {
  const { name, content } = shareXFile(tool)
  expect(name).toBe('floe-files.example.org-8443.sxcu')
  expect(JSON.parse(content)).toMatchObject({
    RequestURL: 'https://files.example.org:8443/floe/up/',
    Headers: { Authorization: 'Bearer floe_abc', Accept: 'application/json' },
    Body: 'MultipartFormData',
    FileFormName: 'file',
    URL: '{json:url}',
    DeletionURL: '{json:deleteUrl}',
  })
})

test('no script has the token among the arguments of a program', () => {
  for (const program of ['Flameshot', 'grim'] as const) {
    const { content } = screenshotScript(program, tool)
    expect(content.match(/floe_abc/g)).toEqual(['floe_abc'])
    expect(content).toContain("token='floe_abc'\n")
    expect(content.match(/"\$token"/g)).toHaveLength(1)
    expect(content).toContain(`printf 'header = "Authorization: Bearer %s"\\n' "$token" |`)
  }
})

test('an address is one word of the shell, whatever it holds', () => {
  const { content } = screenshotScript('grim', { address: "https://example.org/it's", token: 't' })
  expect(content).toContain(String.raw`site='https://example.org/it'\''s'`)
})

test('the command line is installed from the site and signs in there', () => {
  expect(commandLineSetup('https://files.example.org')).toBe(
    'curl -fsSL https://files.example.org/cli/install.sh | sh\nfloe login https://files.example.org',
  )
})
