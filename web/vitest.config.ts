import { defineConfig } from 'vitest/config'

/** The build cuts catalogues in two; tests read them whole, whichever part they ask for. */
const wholeCatalogues = {
  name: 'floe-whole-catalogues',
  enforce: 'pre' as const,
  transform: (code: string, id: string) =>
    id.endsWith('.json?rest') ? { code: `export default ${code}`, map: null } : null,
}

export default defineConfig({
  plugins: [wholeCatalogues],
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    name: 'web',
    include: ['{src,scripts}/**/*.test.{ts,tsx}'],
    // The first component loads what all of them need, and the machine may be busy.
    testTimeout: 60_000,
    isolate: false,
    maxWorkers: '100%',
  },
})
