import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  request,
  type RequestListener,
  type RequestOptions,
  type Server,
} from 'node:http'
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server as TcpServer,
} from 'node:net'
import {
  defaultSettings,
  type ErrorCode,
  type Identity,
  readGrantSchema,
  type Settings,
  type ShareContents,
  type SharePreview,
} from '@floe/contracts'
import { AppError } from '@floe/errors'
import { createHttpServer } from '@floe/http'
import { createTransferMemory } from '@floe/transfer'
import { createGateway, type Gateway, type GatewayOptions, type Upstream } from '../gateway.ts'

/** Options of a gateway on a random port. */
export interface RigOptions extends Partial<Omit<GatewayOptions, 'ports' | 'log'>> {
  upstreams?: readonly Upstream[]
  settings?: Partial<Settings>
  identity?: Identity
  /** How many there are; one unless told. */
  accounts?: number
  /** What the share service returns to a visitor. */
  shareRefusal?: ErrorCode
  /** Of the refused share. */
  isEncrypted?: boolean
  /** The access token that opens the share all the same. */
  receiverToken?: string
  /** The share's preview; nothing if it is refused. */
  sharePreview?: SharePreview
  /** The share's contents for its receiver. */
  shareContents?: ShareContents
  /** On one socket for both families, where there are both, as the product does. */
  listensEverywhere?: true
}

/** Icons in base64. */
interface RigIcons {
  version: string
  icons: Record<string, string> | 'unreachable'
}

export type RigLogo = RigIcons | 'unreachable' | undefined

export interface Rig {
  url: string
  port: number
  gateway: Gateway
  /** The log, as JSON lines. */
  logged: string[]
  /** The uploaded logo; none at first. */
  setLogo(logo: RigLogo): void
  /** The one for dark pages. */
  setDarkLogo(logo: RigIcons | undefined): void
  finishSetup(): void
  close(): Promise<void>
}

function createAuth({ identity, accounts = 1 }: RigOptions): GatewayOptions['ports']['auth'] {
  return {
    identify: async () => identity ?? null,
    countUsers: async () => ({ count: accounts }),
    checkToken: async () => ({ isInScope: false }),
  }
}

interface RigState {
  logo: RigLogo
  darkLogo: RigIcons | undefined
  isSetUp: boolean
}

function createAdmin(options: RigOptions, state: RigState): GatewayOptions['ports']['admin'] {
  return {
    settings: async () => ({ ...defaultSettings(), ...options.settings }),
    logo: async () => {
      const { logo, darkLogo } = state
      if (logo === 'unreachable') throw new AppError('upstream_unavailable')
      return { version: logo?.version ?? null, darkVersion: darkLogo?.version ?? null }
    },
    setup: async () => ({ isFinished: state.isSetUp }),
    icons: async ({ version }) => {
      const logos = [state.logo, state.darkLogo].filter((one) => typeof one === 'object')
      const icons = logos.find((one) => one.version === version)?.icons ?? null
      if (icons === 'unreachable') throw new AppError('upstream_unavailable')
      return { icons }
    },
  }
}

export async function startGateway(options: RigOptions = {}): Promise<Rig> {
  const logged: string[] = []
  const state: RigState = { logo: undefined, darkLogo: undefined, isSetUp: false }
  const write = (fields: object, text: string) => logged.push(JSON.stringify({ ...fields, text }))
  const gateway = createGateway({
    upstreams: [],
    ports: {
      auth: createAuth(options),
      admin: createAdmin(options, state),
      share: {
        authorizeRead: async ({ shareId, credentials: { accessToken } }) => {
          if (accessToken === null || accessToken !== options.receiverToken) {
            throw new AppError(
              options.shareRefusal ?? 'share_not_found',
              options.isEncrypted ? { members: { encrypted: true } } : {},
            )
          }
          return readGrantSchema.parse({
            shareUid: '6f7c2c0e-0a51-4d8f-9a53-0f6f2a2f8f13',
            shareId,
            hasPassword: false,
            edition: 1,
            archiveLevel: 0,
            isOwner: false,
          })
        },
        previewShare: async () => {
          if (options.sharePreview) return options.sharePreview
          throw new AppError(options.shareRefusal ?? 'share_not_found', {
            message: 'Why it was refused',
            members: { encrypted: options.isEncrypted ?? false },
          })
        },
        deleteByLink: () => Promise.reject(new AppError('share_not_found')),
        readShare: async ({ credentials: { accessToken }, mostFiles }) => {
          const { receiverToken, shareContents } = options
          if (!shareContents || accessToken !== receiverToken) {
            throw new AppError('share_token_required')
          }
          const { files } = shareContents
          return { ...shareContents, files: files.slice(0, mostFiles ?? files.length) }
        },
      },
    },
    webDirectory: '/nonexistent',
    commandLineFile: '/nonexistent',
    trustedProxies: [],
    publicUrl: null,
    log: { info: write, warn: write, error: write },
    memory: createTransferMemory(),
    version: '1.2.3',
    health: { isUp: async () => true, isReady: async () => true, version: '1.2.3+floe.4' },
    ...options,
  })
  const server = createHttpServer(gateway)
  const port = await listen(server, options.listensEverywhere ? undefined : '127.0.0.1')
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    gateway,
    logged,
    finishSetup: () => {
      state.isSetUp = true
    },
    setLogo: (next) => {
      state.logo = next
    },
    setDarkLogo: (next) => {
      state.darkLogo = next
    },
    async close() {
      await gateway.stop()
      await closeServer(server)
    },
  }
}

export interface Service {
  url: string
  server: Server
  close(): Promise<void>
}

/** A service in "another process": a server of its own. */
export async function startService(listener: RequestListener): Promise<Service> {
  const server = createServer(listener)
  const port = await listen(server, '127.0.0.1')
  return { url: `http://127.0.0.1:${port}`, server, close: () => closeServer(server) }
}

/** A service that speaks exactly the bytes it is told to. */
export async function startRawService(
  onConnection: Parameters<typeof createTcpServer>[1],
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createTcpServer(onConnection)
  const port = await listen(server, '127.0.0.1')
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

async function listen(server: Server | TcpServer, host: string | undefined): Promise<number> {
  await new Promise<void>((resolve) => server.listen({ port: 0, host }, resolve))
  return (server.address() as AddressInfo).port
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

export interface HttpResponse {
  status: number
  headers: IncomingMessage['headers']
  /** Spelled as they were sent. */
  headerNames: string[]
  body: Buffer
  text: string
  code: unknown
}

export async function send(
  rig: Rig,
  path: string,
  { body, ...options }: RequestOptions & { body?: string } = {},
): Promise<HttpResponse> {
  const req = request({ host: '127.0.0.1', port: rig.port, path, agent: false, ...options })
  req.end(body)
  const [res] = (await once(req, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of res) chunks.push(chunk as Buffer)
  const all = Buffer.concat(chunks)
  const isJson = res.headers['content-type']?.startsWith('application/json') ?? false
  const code =
    isJson && all.length > 0 ? (JSON.parse(all.toString()) as { code?: unknown }).code : null
  return {
    status: res.statusCode ?? 0,
    headers: res.headers,
    headerNames: res.rawHeaders.filter((_, index) => index % 2 === 0),
    body: all,
    text: all.toString(),
    code,
  }
}

/** Waits until `isTrue`, or fails after the deadline. */
export async function eventually(isTrue: () => boolean, timeoutMs = 5_000): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!isTrue()) {
    if (Date.now() > deadline) throw new Error('did not happen in time')
    await new Promise((resolve) => setImmediate(resolve))
  }
}
