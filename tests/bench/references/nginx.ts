import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, startProcess, waitForPort } from '../harness/process.ts'
import type { Scratch } from '../harness/scratch.ts'
import { toReference, type Reference } from './reference.ts'

/** `undefined` where nginx with its DAV module is not installed. */
export async function startNginx(scratch: Scratch): Promise<Reference | undefined> {
  const version = nginxVersion()
  if (version === undefined) return undefined
  const port = await freePort()
  const folder = scratch.folder('nginx')
  mkdirSync(join(folder, 'files'))
  writeFileSync(join(folder, 'nginx.conf'), configuration(folder, port))
  const running = startProcess({
    command: 'nginx',
    args: ['-p', folder, '-c', join(folder, 'nginx.conf')],
    env: pathWithSbin(),
    logFile: scratch.file('nginx.log'),
  })
  await waitForPort(port, running)
  return toReference(running, { name: `nginx ${version}`, port, folder: join(folder, 'files') })
}

function nginxVersion(): string | undefined {
  const { error, stderr } = spawnSync('nginx', ['-V'], {
    encoding: 'utf8',
    env: { ...process.env, ...pathWithSbin() },
  })
  if (error || !stderr.includes('http_dav_module')) return undefined
  return /nginx\/([\d.]+)/.exec(stderr)?.[1]
}

/** Debian keeps nginx where only root's PATH looks. */
function pathWithSbin(): { PATH: string } {
  return { PATH: `${process.env['PATH']}:/usr/sbin` }
}

// One process, so that its CPU time is one figure. The body buffer is what a large upload wants.
function configuration(folder: string, port: number): string {
  return `daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr error;
events { worker_connections 256; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000;
  client_max_body_size 0;
  client_body_buffer_size 1m;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${port};
    location / { root ${folder}/files; dav_methods PUT; }
  }
}
`
}
