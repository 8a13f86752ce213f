import { defineConfig } from 'vitest/config'
import { cutCatalogues } from './scripts/texts.ts'

export default defineConfig({
  plugins: [cutCatalogues()],
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: { name: 'web', include: ['{src,scripts}/**/*.test.ts'], isolate: false },
})
