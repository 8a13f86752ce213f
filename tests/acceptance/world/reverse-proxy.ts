import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { request, type RequestOptions } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '@floe/testing'
import { makeCertificate } from './tls-front.ts'

const host = 'files.example.org'
const startTimeoutMs = 20_000
const guide = fileURLToPath(new URL('../../../deploy/proxies', import.meta.url))

const proxyNames = ['nginx', 'caddy', 'traefik'] as const
export type ProxyName = (typeof proxyNames)[number]

/** Traefik is in no system's packages: it is tried where it was installed. */
export const proxiesHere: readonly ProxyName[] = proxyNames.filter(
  (name) => name !== 'traefik' || isOnPath(name),
)

export interface ReverseProxy {
  httpPort: number
  /** A request over TLS that has not ended yet. */
  open(path: string, options: RequestOptions): ReturnType<typeof request>
  get(path: string, options: RequestOptions): Promise<{ head: IncomingMessage; bytes: Buffer }>
  stop(): Promise<void>
}

interface Place {
  directory: string
  httpPort: number
  httpsPort: number
  floePort: string
}

interface Proxy {
  /** Of the operators' guide; the first is the one it starts with. */
  files: [string, ...string[]]
  /** By which it sends files itself, and the line of the first file that this stands beside. */
  sendfile?: { file: string; where(block: string): Record<string, string> }
  /** As a test runs them: with ports and certificates of its own. */
  configure(texts: readonly string[], place: Place): string[]
  args(config: string): string[]
}

const proxies: Record<ProxyName, Proxy> = {
  nginx: {
    files: ['nginx.conf'],
    sendfile: {
      file: 'nginx-sendfile.conf',
      where: (block) => ({ '    location / {': `${block}    location / {` }),
    },
    configure: ([text = ''], { directory, httpPort, httpsPort, floePort }) => {
      const site = replaceEach(text, {
        'server 127.0.0.1:3000;': `server 127.0.0.1:${floePort};`,
        'listen 80;': `listen 127.0.0.1:${httpPort};`,
        'listen 443 ssl;': `listen 127.0.0.1:${httpsPort} ssl;`,
        '/etc/ssl/floe/fullchain.pem': join(directory, 'certificate.pem'),
        '/etc/ssl/floe/privkey.pem': join(directory, 'key.pem'),
      })
      const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      return [
        [
          process.getuid?.() === 0 ? 'user root;' : '',
          `daemon off; worker_processes 1; pid ${join(directory, 'pid')}; events {}`,
          `http { access_log off; error_log ${join(directory, 'errors')};`,
          ...folders.map((name) => `${name}_temp_path ${join(directory, name)};`),
          `${site} }`,
        ].join('\n'),
      ]
    },
    args: (config) => ['-c', config],
  },
  caddy: {
    files: ['Caddyfile'],
    sendfile: {
      file: 'Caddyfile-sendfile',
      where: (block) => ({
        'reverse_proxy 127.0.0.1:3000 {': `reverse_proxy 127.0.0.1:3000 {\n${block}`,
      }),
    },
    configure: ([text = ''], { directory, httpPort, httpsPort, floePort }) => {
      const site = replaceEach(text, {
        '127.0.0.1:3000': `127.0.0.1:${floePort}`,
        'files.example.org {': `files.example.org {\n\ttls ${join(directory, 'certificate.pem')} ${join(directory, 'key.pem')}`,
      })
      const ports = `\thttp_port ${httpPort}\n\thttps_port ${httpsPort}\n\tdefault_bind 127.0.0.1`
      return [`{\n\tadmin off\n\tstorage file_system ${directory}\n${ports}\n}\n${site}`]
    },
    args: (config) => ['run', '--config', config, '--adapter', 'caddyfile'],
  },
  traefik: {
    files: ['traefik.yml', 'traefik-floe.yml'],
    configure: ([entry = '', site = ''], { directory, httpPort, httpsPort, floePort }) => [
      replaceEach(entry.slice(0, entry.indexOf('certificatesResolvers:')), {
        "':80'": `127.0.0.1:${httpPort}`,
        "':443'": `127.0.0.1:${httpsPort}`,
        // It would name the port of the test.
        'to: websecure': "to: ':443'",
        '/etc/traefik/floe.yml': join(directory, 'traefik-floe.yml'),
      }),
      [
        replaceEach(site, {
          'tls: { certResolver: letsencrypt }': 'tls: {}',
          'http://127.0.0.1:3000': `http://127.0.0.1:${floePort}`,
        }),
        'tls:',
        '  certificates:',
        `    - certFile: ${join(directory, 'certificate.pem')}`,
        `      keyFile: ${join(directory, 'key.pem')}`,
      ].join('\n'),
    ],
    args: (config) => [`--configFile=${config}`],
  },
}

export interface ReverseProxyOptions {
  /** Where the objects are, for a proxy that sends them itself. */
  objectsDirectory?: string
}

/** The proxy itself, with the file that the operators' guide shows, in front of a Floe. */
export async function startReverseProxy(
  name: ProxyName,
  floeUrl: string,
  { objectsDirectory }: ReverseProxyOptions = {},
): Promise<ReverseProxy> {
  const { files, configure, args } = proxies[name]
  const directory = await mkdtemp(join(tmpdir(), `floe-${name}-`))
  const [httpPort, httpsPort] = [await findFreePort(), await findFreePort()]
  const ca = await makeCertificate(directory, host)
  const place = { directory, httpPort, httpsPort, floePort: new URL(floeUrl).port }
  const texts = await Promise.all(files.map((file) => readFile(join(guide, file), 'utf8')))
  if (objectsDirectory !== undefined) {
    texts[0] = await withSendfile(name, texts[0] ?? '', objectsDirectory)
  }
  for (const [index, text] of configure(texts, place).entries()) {
    await writeFile(join(directory, files[index] ?? ''), text)
  }
  const child = spawn(name, args(join(directory, files[0])), {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: directory },
  })
  await listens(name, child, httpsPort)

  const open: ReverseProxy['open'] = (path, options) =>
    request({
      ...{ host: '127.0.0.1', port: httpsPort, servername: host, ca, path, agent: false },
      ...options,
      headers: { Host: host, ...(options.headers as Record<string, string> | undefined) },
    })

  return {
    httpPort,
    open,
    async get(path, options) {
      const asked = open(path, options)
      asked.end()
      const [head] = (await once(asked, 'response')) as [IncomingMessage]
      const chunks: Buffer[] = []
      for await (const chunk of head) chunks.push(chunk as Buffer)
      return { head, bytes: Buffer.concat(chunks) }
    },
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      if (child.exitCode === null) await exited
      await rm(directory, { recursive: true, force: true })
    },
  }
}

async function withSendfile(name: ProxyName, text: string, directory: string): Promise<string> {
  const { sendfile } = proxies[name]
  if (sendfile === undefined) throw new Error(`${name} sends no files itself`)
  const block = await readFile(join(guide, sendfile.file), 'utf8')
  return replaceEach(text, sendfile.where(block.replaceAll('/srv/floe/data/objects', directory)))
}

function isOnPath(program: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.some((folder) => existsSync(join(folder, program)))
}

/** What is not there any more would be tested by nobody. */
function replaceEach(text: string, replacements: Record<string, string>): string {
  return Object.entries(replacements).reduce((changed, [from, to]) => {
    if (changed.split(from).length !== 2) throw new Error(`the file says "${from}" not once`)
    return changed.replace(from, to)
  }, text)
}

async function listens(name: string, child: ChildProcess, port: number): Promise<void> {
  let output = ''
  let failure: Error | undefined
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.once('error', (cause) => {
    failure = new Error(`These tests need ${name} on the PATH`, { cause })
  })
  child.once('exit', (code) => {
    failure ??= new Error(`${name} ended with ${code}: ${output}`)
  })
  const deadline = Date.now() + startTimeoutMs
  while (!(await isListening(port))) {
    if (failure) throw failure
    if (Date.now() > deadline) throw new Error(`${name} does not listen: ${output}`)
    await sleep(50)
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
