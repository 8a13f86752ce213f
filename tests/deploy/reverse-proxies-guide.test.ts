import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const guidePath = fileURLToPath(new URL('../../docs/install/reverse-proxies.md', import.meta.url))
const proxies = fileURLToPath(new URL('../../deploy/proxies', import.meta.url))
const uploadOptions = fileURLToPath(
  new URL('../acceptance/world/request-limit-options.ts', import.meta.url),
)
const guide = readFileSync(guidePath, 'utf8')
const blocks = [...guide.matchAll(/^```\w+\n([^]*?)^```$/gm)].map(([, block]) => block)

test.each(readdirSync(proxies))('the guide shows %s as it is, which is what tests run', (name) => {
  expect(blocks).toContain(readFileSync(join(proxies, name), 'utf8'))
})

test('the guide shows the options of tus-js-client as they are, which is what tests run', () => {
  expect(blocks).toContain(readFileSync(uploadOptions, 'utf8'))
})
