import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const guidePath = fileURLToPath(new URL('../../docs/operators.md', import.meta.url))
const proxies = fileURLToPath(new URL('../../deploy/proxies', import.meta.url))
const guide = readFileSync(guidePath, 'utf8')

test.each(readdirSync(proxies))('the guide shows %s as it is, which is what tests run', (name) => {
  const blocks = [...guide.matchAll(/^```\w+\n([^]*?)^```$/gm)].map(([, block]) => block)
  expect(blocks).toContain(readFileSync(join(proxies, name), 'utf8'))
})

test('the guide leads to nothing that is not there', () => {
  const links = [...guide.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, link = '']) => link)
  expect(links.length).toBeGreaterThan(5)
  const local = links.filter((link) => !link.startsWith('http'))
  expect(local.filter((link) => !existsSync(join(dirname(guidePath), link)))).toEqual([])
})
