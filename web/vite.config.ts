import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig, type Plugin } from 'vite'
import { canvas } from './src/app/theme.ts'

const startModule = '/src/app/start.tsx'

/**
 * The entry is a few lines that start the app and the page of the address at the same time. The
 * app itself is needed by every page, so the document announces it: nothing waits for the entry.
 */
function announceApp(): Plugin {
  return {
    name: 'floe-announce-app',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const paints = html
          .replaceAll('__CANVAS_LIGHT__', canvas.light)
          .replaceAll('__CANVAS_DARK__', canvas.dark)
        if (!bundle) return paints.replaceAll(/__FLOE_(\w+)__/g, (_, name) => devValues[name] ?? '')
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
        const start = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(startModule))
        if (!start) throw new Error(`no chunk for ${startModule}`)
        const files = [start.fileName, ...start.imports]
        const styles = files.flatMap((file) => {
          const chunk = chunks.find(({ fileName }) => fileName === file)
          return [...(chunk?.viteMetadata?.importedCss ?? [])]
        })
        return {
          html: paints,
          tags: [...new Set(styles.map((file) => `/${file}`))]
            .map((href) => ({
              tag: 'link',
              attrs: { rel: 'stylesheet', crossorigin: true, href },
              injectTo: 'head' as const,
            }))
            .concat(
              files.map((file) => ({
                tag: 'link',
                attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
                injectTo: 'head' as const,
              })),
            ),
        }
      },
    },
  }
}

const devValues: Record<string, string> = {
  LANG: 'en',
  DIR: 'ltr',
  COLOR_SCHEME: 'auto',
  TITLE: 'Floe',
}

export default defineConfig({
  plugins: [react(), announceApp()],
  resolve: { conditions: ['source', ...defaultClientConditions] },
  build: { outDir: 'dist', emptyOutDir: true, reportCompressedSize: false },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': process.env['API_URL'] ?? 'http://127.0.0.1:3000' },
  },
})
