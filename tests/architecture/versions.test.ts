import { VERSION } from '@floe/contracts'
import { expect, test } from 'vitest'
import { listCommitted, read } from './repository.ts'

interface Manifest {
  version: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

test('every manifest has the version of the product, and asks its neighbours for it', () => {
  for (const path of listCommitted(/(?:^|\/)package\.json$/)) {
    const { version, dependencies, devDependencies } = JSON.parse(read(path)) as Manifest
    const ours = Object.entries({ ...dependencies, ...devDependencies })
      .filter(([name]) => name.startsWith('@floe/'))
      .map(([, range]) => range)
    expect(new Set([version, ...ours]), path).toEqual(new Set([VERSION]))
  }
})
