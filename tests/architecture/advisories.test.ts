import { expect, test } from 'vitest'
import { advisories } from '../acceptance/advisories/ids.ts'
import { listCommitted, read } from './repository.ts'

const folder = 'tests/acceptance/advisories'
/** In front of what a test guarantees, or in the rows of one that shows several. */
const id = /'((?:CVE|GHSA)-[\w-]+|[a-z][a-z.-]+[#@][\w.-]+)(?:: |')/g

test('every advisory has a file for its class and one test that is named by it', () => {
  const files = listCommitted(new RegExp(`^${folder}/.*\\.test\\.ts$`))
  const named = files.map((path) => [
    path.slice(folder.length + 1, -'.test.ts'.length),
    [...read(path).matchAll(id)].map(([, found]) => found).sort(),
  ])
  const listed = Object.entries(advisories).map(([name, ids]) => [name, [...ids].sort()])
  expect(Object.fromEntries(named)).toEqual(Object.fromEntries(listed))
})
