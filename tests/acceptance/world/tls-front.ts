import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, type TLSSocket } from 'node:tls'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Writes `certificate.pem` and `key.pem` of a host that nobody vouches for into the folder. */
export async function makeCertificate(directory: string, host: string): Promise<Buffer> {
  const certificate = join(directory, 'certificate.pem')
  await run('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-days', '2', '-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`],
    ...['-keyout', join(directory, 'key.pem'), '-out', certificate],
  ])
  return readFile(certificate)
}

export interface TlsFront {
  /** `https://localhost:…` */
  url: string
  /** Of its certificate, for those who trust it. */
  certificatePath: string
  stop(): Promise<void>
}

/** TLS in front of a server that speaks plain HTTP. */
export async function startTlsFront(serverUrl: string): Promise<TlsFront> {
  const directory = await mkdtemp(join(tmpdir(), 'floe-tls-'))
  const cert = await makeCertificate(directory, 'localhost')
  const { hostname, port } = new URL(serverUrl)
  const sockets = new Set<TLSSocket>()
  const server = createServer(
    { cert, key: await readFile(join(directory, 'key.pem')) },
    (front) => {
      const back = connect(Number(port), hostname)
      sockets.add(front)
      front.on('error', () => back.destroy()).on('close', () => back.destroy())
      back.on('error', () => front.destroy()).on('close', () => front.destroy())
      front.pipe(back).pipe(front)
    },
  )
  // Those who do not trust it hang up.
  server.on('tlsClientError', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    certificatePath: join(directory, 'certificate.pem'),
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
