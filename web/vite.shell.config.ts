import { PAGE_SHELL_FOLDER } from '@floe/contracts'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { cutCatalogues } from './scripts/texts.ts'

/**
 * Builds what the gateway draws documents with, behind the page's own build: one module with all
 * that it needs, and one for the texts of each language.
 */
export default defineConfig({
  plugins: [react(), cutCatalogues()],
  // For React alone, whose development build is large and slow.
  define: { 'process.env.NODE_ENV': JSON.stringify('production') },
  resolve: { conditions: ['source'] },
  ssr: { noExternal: true, resolve: { conditions: ['source'] } },
  build: {
    ssr: 'src/app/shell/shell.tsx',
    outDir: `dist/${PAGE_SHELL_FOLDER}`,
    copyPublicDir: false,
    minify: true,
    reportCompressedSize: false,
    rolldownOptions: {
      treeshake: { moduleSideEffects: (id) => !id.includes('/packages/contracts/src/') },
    },
  },
})
