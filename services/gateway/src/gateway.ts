import {
  type AdminPort,
  type AuthPort,
  type Demo,
  isPlaceholderUrl,
  routes,
  type SharePort,
} from '@floe/contracts'
import {
  type CompletedRequest,
  assignRequestId,
  createHealthRoutes,
  createRouter,
  errorHandler,
  type Health,
  type ImplementedRoute,
  notFoundHandler,
  plainClientAddress,
  refuseDoubtful,
  type RequestHandlers,
  watchRequests,
} from '@floe/http'
import type { TransferMemory } from '@floe/transfer'
import express, { type Express, type Request, type RequestHandler } from 'express'
import { createCommandLine } from './cli/command-line.ts'
import { refuseCrossSite } from './edge/cross-site.ts'
import { dropUntrustedHeaders, isFromTrustedProxy } from './edge/forwarding.ts'
import { type GatewayLog, logRequest, nameRoute } from './edge/request-log.ts'
import { checkPath } from './edge/request-path.ts'
import { isApiPath, setSecurityHeaders } from './edge/security-headers.ts'
import { createApiDocs } from './openapi/reader.ts'
import { createDeleteLinkRoutes } from './page/delete-links.ts'
import { createBootReader } from './page/boot.ts'
import { createPages } from './page/pages.ts'
import { createSharePageReader } from './page/share-page.ts'
import { createSite } from './page/site.ts'
import { createSiteIcons } from './page/site-icons.ts'
import { createByteProxy } from './proxy/byte-proxy.ts'
import { createJsonProxy } from './proxy/json-proxy.ts'
import { createRouteTable } from './route-table.ts'

/** A service and the public paths it owns: here in the process, or at an address. */
export type Upstream = { name: string; paths: readonly string[] } & (
  { local: readonly ImplementedRoute[] } | { url: string }
)

export interface GatewayOptions {
  upstreams: readonly Upstream[]
  ports: {
    auth: Pick<AuthPort, 'identify' | 'countUsers' | 'checkToken'>
    admin: Pick<AdminPort, 'settings' | 'logo' | 'setup' | 'icons'>
    share: Pick<SharePort, 'authorizeRead' | 'previewShare' | 'readShare' | 'deleteByLink'>
  }
  /** The built web application. */
  webDirectory: string
  /** The built command line, one file; served once it is there. */
  commandLineFile: string
  /** Addresses and CIDR ranges whose forwarding headers count. */
  trustedProxies: readonly string[]
  /** The public address, when the operator configured one. */
  publicUrl: string | null
  /** Bounds what is proxied, together with all other transfers of the process. */
  memory: TransferMemory
  log: GatewayLog
  /** Of the product, which pages show. */
  version: string
  /** What the page tells of a demo. */
  demo?: Demo
  health: Health
  /** Hears about each request once its connection is done with it. */
  onResponse?: (completed: CompletedRequest) => void
}

export interface Gateway extends Required<RequestHandlers> {
  /** Closes connections to the services; transfers under way end first. */
  stop(): Promise<void>
}

/** The public edge: one door for pages, JSON and bytes, the same in both arrangements. */
export function createGateway(options: GatewayOptions): Gateway {
  const awaitingContinue = new WeakSet<object>()
  const routing = createRouting(options, (req) => awaitingContinue.has(req))
  const app = createApp(options, routing)
  return {
    onRequest: app,
    onContinue(req, res) {
      // Only the byte proxy can ask its service first; every other body is invited at once.
      if (routing.find(req)?.isByteProxy) awaitingContinue.add(req)
      else res.writeContinue()
      app(req, res)
    },
    stop: async () => routing.stop(),
  }
}

interface Target {
  handle: RequestHandler
  isByteProxy: boolean
  stop(): void
}

interface Routing {
  find(req: { url?: string | undefined }): Target | undefined
  stop(): void
}

function createRouting(
  { upstreams, memory, ports }: GatewayOptions,
  awaitsContinue: (req: Request) => boolean,
): Routing {
  const byteOwners = findByteOwners(upstreams)
  const entries = upstreams.map((upstream) => {
    const { paths } = upstream
    if ('local' in upstream) {
      const value: Target = {
        handle: createRouter(upstream.local, ports.auth),
        isByteProxy: false,
        stop: () => undefined,
      }
      return { paths, value }
    }
    const { url } = upstream
    const isByteProxy = byteOwners.has(upstream)
    const proxy = isByteProxy
      ? createByteProxy({ url, memory, awaitsContinue })
      : createJsonProxy({ url })
    return { paths, value: { ...proxy, isByteProxy } }
  })
  const table = createRouteTable(entries)
  return {
    find: ({ url = '' }) => table.find(url.split('?', 1)[0] ?? ''),
    stop: () => entries.forEach(({ value }) => value.stop()),
  }
}

/** The services that own a public call with a raw request or response body. */
function findByteOwners(upstreams: readonly Upstream[]): ReadonlySet<Upstream | undefined> {
  const owners = createRouteTable(upstreams.map((value) => ({ paths: value.paths, value })))
  const rawRoutes = Object.values(routes).filter((route) => 'raw' in route)
  return new Set(rawRoutes.map((route) => owners.find(route.path)))
}

function createApp(options: GatewayOptions, routing: Routing): Express {
  const { log, version, health, onResponse, ports, trustedProxies, webDirectory } = options
  const app = express()
  const unknownRoute = notFoundHandler()
  app.disable('x-powered-by')
  app.enable('case sensitive routing')
  app.set('trust proxy', trustedProxies.length > 0 ? [...trustedProxies] : false)

  app.use(
    dropUntrustedHeaders(),
    plainClientAddress(),
    assignRequestId(isFromTrustedProxy),
    watchRequests({
      nameRoute,
      onResponse: (finished) => {
        logRequest(log, finished)
        onResponse?.(finished)
      },
    }),
  )
  app.use(setSecurityHeaders(), refuseDoubtful(), checkPath())
  app.use(refuseCrossSite(ownOrigins(options)))
  app.use(createRouter(createHealthRoutes(health)))
  app.use(createRouter(createDeleteLinkRoutes(ports), ports.auth))
  app.use(createApiDocs({ version: health.version }))
  app.use((req, res, next) => {
    const target = routing.find(req)
    if (target === undefined) next()
    else target.handle(req, res, next)
  })
  const site = createSite({ admin: ports.admin, log })
  app.use(createCommandLine({ ...options, site }))
  app.use((req, res, next) => {
    if (isApiPath(req.path)) unknownRoute(req, res, next)
    else next()
  })
  const siteIcons = createSiteIcons({ site, admin: ports.admin, log })
  const { publicUrl, demo } = options
  const product = { version, ...(demo && { demo }) }
  const readBoot = createBootReader({ ports, site, product, log })
  const readSharePage = createSharePageReader({ share: ports.share, log })
  app.use(
    createPages({ webDirectory, readBoot, readSharePage, site, siteIcons, publicUrl, version }),
  )
  app.use(unknownRoute)
  app.use(errorHandler(log))
  return app
}

/** The site's configured addresses; until one is set there is none to trust. */
function ownOrigins({ ports, publicUrl, log }: GatewayOptions): () => Promise<string[]> {
  const fixed = publicUrl === null ? [] : [publicUrl]
  return async () => {
    try {
      const { 'general.appUrl': appUrl } = await ports.admin.settings({})
      return isPlaceholderUrl(appUrl) ? fixed : [...fixed, appUrl]
    } catch (err) {
      log.warn({ err }, 'could not read the configured URL of the site')
      return fixed
    }
  }
}
