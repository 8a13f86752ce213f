import { join } from 'node:path'
import type { Environment } from '@floe/config'
import { createServer, type ViteDevServer } from 'vite'

export interface StartPageOptions {
  root: string
  environment: Pick<Environment, 'host' | 'port'>
  /** Where the API is. */
  apiPort: number
}

/**
 * A file counts as changed once nothing has written to it for this long. Vite's watcher reports a
 * file that is being written at most once in 50 ms, and would leave the page with half of it.
 */
const writesEnd = { stabilityThreshold: 40, pollInterval: 10 }

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
      watch: { awaitWriteFinish: writesEnd },
      proxy: { '/api': api, '/s/': api },
    },
  })
  await server.listen()
  return server
}
