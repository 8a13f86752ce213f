import { type Client, createClient } from '@floe/client'
import { SHORT_SHARE_PATH } from '@floe/contracts'
import { exitCodes, CliError, UsageError } from './failures.ts'
import { type BodySource, createHttpClient, type HttpResponse } from './http-client.ts'
import type { Store } from './settings.ts'

/** One installation, and who we are there. */
export interface Server {
  /** The address of the site, without a slash at its end. */
  address: string
  token: string | undefined
  /** JSON calls. */
  api: Client
  /** Bytes, and what has headers of its own; `path` may be an address of the site. */
  send(request: RawRequest): Promise<HttpResponse>
  /** From another site, which is told nothing of ours. */
  fetchElsewhere(url: URL, headers: Record<string, string>): Promise<HttpResponse>
  shareLink(shareId: string): string
}

export interface RawRequest {
  method: string
  path: string
  headers?: Record<string, string | number>
  body?: Buffer | BodySource
  /** Hears of bytes of the body as they leave. */
  onSent?: (bytes: number) => void
}

const USER_AGENT_HEADER = { 'User-Agent': 'floe-cli' }

export function connect(address: string, token?: string): Server {
  const authorization: Record<string, string> =
    token === undefined ? {} : { Authorization: `Bearer ${token}` }
  const http = createHttpClient()
  return {
    address,
    token,
    api: createClient({ baseUrl: address, token }),
    send: ({ path, headers, ...request }) =>
      http.send({
        ...request,
        url: new URL(path, `${address}/`),
        headers: { ...USER_AGENT_HEADER, ...authorization, ...headers },
      }),
    fetchElsewhere: (url, headers) => http.send({ method: 'GET', url, headers }),
    shareLink: (shareId) => address + SHORT_SHARE_PATH.replace(':id', shareId),
  }
}

/** `files.example.org/` becomes `https://files.example.org`. Throws a `UsageError`. */
export function readAddress(text: string): string {
  const isLocal = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:\/|$)/.test(text)
  const full = /^https?:\/\//i.test(text) ? text : `${isLocal ? 'http' : 'https'}://${text}`
  if (!URL.canParse(full)) throw new UsageError(`${text} is not the address of a site.`)
  const url = new URL(full)
  if (url.username || url.password) {
    throw new UsageError('An address may have no password in it: other users would see it.')
  }
  return url.origin + url.pathname.replace(/\/+$/, '')
}

/** With the token of the environment or of the sign-in there. The former goes to its own site alone. */
export async function connectAgain(
  store: Store,
  { address, env }: { address: string; env: NodeJS.ProcessEnv },
): Promise<Server> {
  const config = await store.readConfig()
  const usual = env['FLOE_SERVER'] ?? config.current
  const isUsual = usual !== undefined && readAddress(usual) === address
  const token = isUsual ? env['FLOE_TOKEN'] : undefined
  return connect(address, token || config.servers[address]?.token)
}

/** Named by `--server`, by the environment, or by the last sign-in. */
export async function findServer(
  store: Store,
  { named, env }: { named: string | undefined; env: NodeJS.ProcessEnv },
): Promise<Server> {
  const config = await store.readConfig()
  const wanted = named ?? env['FLOE_SERVER'] ?? config.current
  if (wanted === undefined) {
    throw new UsageError('Say which site: `floe login https://files.example.org`, or --server.')
  }
  const address = readAddress(wanted)
  return connect(address, env['FLOE_TOKEN'] || config.servers[address]?.token)
}

/** The same, for what nobody does without an account. */
export async function findOwnServer(...where: Parameters<typeof findServer>): Promise<Server> {
  const server = await findServer(...where)
  if (server.token === undefined) {
    throw new CliError(`Sign in first: floe login ${server.address}`, exitCodes.refused)
  }
  return server
}
