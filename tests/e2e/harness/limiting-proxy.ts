import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '@floe/testing'
import { vi } from 'vitest'

export interface LimitingProxy {
  url: string
  stop(): Promise<void>
}

export interface LimitingProxyOptions {
  /** Closes the connection of a request that is too large, where nginx would respond with 413. */
  isSilent?: boolean
}

/**
 * nginx in front of a Floe, as somebody sets it up who knows nothing of uploads; `mostBody` as its
 * `client_max_body_size`, 1 MB where it is left out.
 */
export async function startLimitingProxy(
  floeUrl: string,
  mostBody?: string,
  { isSilent = false }: LimitingProxyOptions = {},
): Promise<LimitingProxy> {
  const directory = await mkdtemp(join(tmpdir(), 'floe-nginx-'))
  const port = await findFreePort()
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const config = [
    process.getuid?.() === 0 ? 'user root;' : '',
    `daemon off; worker_processes 1; pid ${join(directory, 'pid')}; events {}`,
    `http { access_log off; error_log ${join(directory, 'errors')};`,
    ...folders.map((name) => `${name}_temp_path ${join(directory, name)};`),
    `server { listen 127.0.0.1:${port};`,
    mostBody === undefined ? '' : `client_max_body_size ${mostBody};`,
    isSilent ? 'error_page 413 @close; location @close { return 444; }' : '',
    `location / { proxy_pass ${floeUrl}; proxy_set_header Host $http_host; } } }`,
  ]
  const file = join(directory, 'nginx.conf')
  await writeFile(file, config.join('\n'))
  const child = spawn('nginx', ['-c', file, '-e', join(directory, 'errors')], { stdio: 'inherit' })
  await vi.waitFor(() => reaches(port), { timeout: 10_000 })
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      await end(child)
      await rm(directory, { recursive: true })
    },
  }
}

function reaches(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', reject)
    socket.on('connect', () => {
      socket.destroy()
      resolve()
    })
  })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}
