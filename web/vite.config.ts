import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defaultClientConditions, defineConfig, type Plugin } from 'vite'
import { chunkGroups } from './scripts/chunks.ts'
import { announceApp, listPageFiles } from './scripts/document.ts'
import { jsonSchemaModules } from './scripts/json-schema-modules.ts'
import { cutCatalogues, writeManifests } from './scripts/texts.ts'
import { themeStyles } from './src/app/theme-styles.ts'

/** The page has the theme's variables before any script runs. */
function fillTheme(): Plugin {
  return {
    name: 'floe-fill-theme',
    enforce: 'pre',
    load: (id) => (id.endsWith('/src/app/theme.css') ? themeStyles() : null),
  }
}

/** Its variant for browsers asks the document, which the thread that reads Markdown has not. */
const characterNames = fileURLToPath(import.meta.resolve('decode-named-character-reference'))

/**
 * Every zod schema carries the code that writes it as JSON Schema, 4.5 kB which only the server's
 * API description uses (https://github.com/colinhacks/zod/pull/6350). `json-schema-omitted.test.ts`
 * tells when zod leaves it out by itself.
 */
const omitted = fileURLToPath(new URL('./scripts/json-schema-omitted.ts', import.meta.url))

/** Service workers by their modules, and where they are had from. */
const serviceWorkers = new Map([
  ['share-target/worker.ts', 'share-target.js'],
  ['encrypted/worker.ts', 'encrypted-share.js'],
])

/** Where the development server finds what it does not serve itself. */
const gateway = process.env['API_URL'] ?? 'http://127.0.0.1:3000'

export default defineConfig({
  plugins: [
    react(),
    announceApp(),
    listPageFiles(),
    cutCatalogues(),
    fillTheme(),
    writeManifests(),
  ],
  resolve: {
    conditions: ['source', ...defaultClientConditions],
    alias: [
      { find: /^decode-named-character-reference$/, replacement: characterNames },
      { find: jsonSchemaModules, replacement: omitted },
    ],
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    reportCompressedSize: false,
    rolldownOptions: {
      // What the stand-in of zod's modules lacks is named by functions that nothing calls.
      onLog: (level, log, handle) => {
        if (log.code !== 'IMPORT_IS_UNDEFINED') handle(level, log)
      },
      // The contracts describe the whole server; the page takes the shapes it uses.
      treeshake: { moduleSideEffects: (id) => !id.includes('/packages/contracts/src/') },
      output: { codeSplitting: { groups: chunkGroups } },
    },
  },
  worker: {
    rolldownOptions: {
      output: {
        // A service worker keeps its address for ever: browsers look there for its next version.
        entryFileNames: ({ facadeModuleId }) =>
          serviceWorkers.get(facadeModuleId?.split('/').slice(-2).join('/') ?? '') ??
          'assets/[name]-[hash].js',
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': gateway, '/s/': gateway },
  },
})
