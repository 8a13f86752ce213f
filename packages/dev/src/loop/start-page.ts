import { join } from 'node:path'
import type { Environment } from '@floe/config'
import { createServer, type ViteDevServer } from 'vite'

export interface StartPageOptions {
  root: string
  environment: Pick<Environment, 'host' | 'port'>
  /** Where the API is. */
  apiPort: number
}

/** Vite's development server: the page from its sources, and everything else from the server. */
export async function startPage({
  root,
  environment: { host, port },
  apiPort,
}: StartPageOptions): Promise<ViteDevServer> {
  const web = join(root, 'web')
  const api = `http://127.0.0.1:${apiPort}`
  const server = await createServer({
    root: web,
    configFile: join(web, 'vite.config.ts'),
    logLevel: 'warn',
    clearScreen: false,
    server: {
      host: host ?? 'localhost',
      port,
      strictPort: true,
      proxy: { '/api': api, '/s/': api },
    },
  })
  await server.listen()
  return server
}
