import { defineConfig } from 'vitest/config'

const resolve = { conditions: ['source'] }

/** Makes the fixture of the schema of this version, with the product as `npm run build` left it. */
export default defineConfig({
  resolve,
  ssr: { resolve },
  test: {
    include: ['tests/acceptance/schemas/make-fixture.ts'],
    provide: { floes: [] },
    testTimeout: 120_000,
  },
})
