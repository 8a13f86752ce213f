import { type Access, JSON_BODY_LIMIT_BYTES, type RouteContract } from '@floe/contracts'
import { AppError } from '@floe/errors'
import express, { type Request, type RequestHandler, type Response, type Router } from 'express'
import type { z } from 'zod'
import { boundedBody } from './bounded-body.ts'
import { type FormFile, readFormFile } from './form-file.ts'
import { admitToken, type TokenChecks } from './token-access.ts'
import { validate } from './validate.ts'

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined
type ResponseOf<R extends RouteContract> = R['response'] extends z.ZodType
  ? z.input<R['response']>
  : R['response'] extends 'text'
    ? string
    : void

/** What there is to decide by whether a call is allowed: nothing of it was looked at yet. */
export interface Asked<R extends RouteContract> {
  req: Request
  res: Response
  /** As the path has them: what cannot be names nothing, and is no reason to refuse it before. */
  params: R['params'] extends z.ZodObject ? Record<keyof z.output<R['params']>, string> : undefined
  /** For the few calls whose body says by what right they come. Unchecked. */
  readBody: () => Promise<unknown>
}

/** Finds out who calls and by what right, or fails. What it returns is handed to the handler. */
export type Authorize<R extends RouteContract, P> = (asked: Asked<R>) => Promise<P> | P

/** What a handler gets: everything the contract names, parsed. */
export interface Call<R extends RouteContract> {
  req: Request
  res: Response
  params: Parsed<R['params']>
  query: Parsed<R['query']>
  body: Parsed<R['body']>
  /** Reads the file of the form, so that who may send one is decided before. */
  readFile: R['file'] extends object ? () => Promise<FormFile> : undefined
}

/**
 * Returns what to send; it may also send something itself (bytes, an empty 200), and then returns
 * nothing. `permit` is what authorising the call came to.
 */
export type Handle<R extends RouteContract, P = void> = (
  call: Call<R>,
  permit: P,
) => Promise<ResponseOf<R> | void> | ResponseOf<R> | void

/** A route contract with the code that handles it. */
export interface ImplementedRoute {
  contract: RouteContract
  handlers: RequestHandler[]
}

type PublicRoute = RouteContract & { access: 'anyone' }
type ProtectedRoute = RouteContract & { access: Exclude<Access, 'anyone'> }

/**
 * Binds a handler to its contract: first it is decided whether the call is allowed, then its body is
 * read, then everything is validated. Raw routes and forms get no body parser.
 */
export function implement<R extends ProtectedRoute, P>(
  contract: R,
  authorize: Authorize<R, P>,
  handle: Handle<R, P>,
): ImplementedRoute {
  return { contract, handlers: [createHandler(contract, authorize, handle)] }
}

/** The same for what the contract opens to anyone. */
export function implementPublic<R extends PublicRoute>(
  contract: R,
  handle: Handle<R>,
): ImplementedRoute {
  return { contract, handlers: [createHandler(contract, () => undefined, handle)] }
}

function createHandler<R extends RouteContract, P>(
  contract: R,
  authorize: Authorize<R, P>,
  handle: Handle<R, P>,
): RequestHandler {
  const { file } = contract
  const readers = readersOf(contract)
  return async (req, res) => {
    let read: Promise<unknown> | undefined
    const readBody = () => (read ??= readWith(readers, req, res))
    const { params } = req
    const permit = await authorize({ req, res, params, readBody } as Asked<R>)
    const body = await readBody()
    const call = {
      req,
      res,
      params: parsePart(contract.params, params),
      query: parsePart(contract.query, req.query),
      body: parsePart(contract.body, body),
      readFile: file && (() => readFormFile(req, res, file)),
    } as Call<R>
    const response = await handle(call, permit)
    if (res.headersSent || res.destroyed || contract.response === 'bytes') return
    sendResponse(res, contract, response)
  }
}

function readersOf({ raw, file, form }: RouteContract): RequestHandler[] {
  if (raw || file) return []
  if (form === 'or JSON') return [formBody(), jsonBody()]
  return form ? [requireForm, formBody()] : [jsonBody()]
}

async function readWith(
  readers: readonly RequestHandler[],
  req: Request,
  res: Response,
): Promise<unknown> {
  if (readers.length === 0) return undefined
  // The parsers take a request whose client has left meanwhile for one without a body.
  if (announcesBody(req) && !req.socket.readable) throw new AppError('validation_failed')
  for (const read of readers) {
    await new Promise<void>((resolve, reject) => {
      const next = (error?: unknown) => (error === undefined ? resolve() : reject(error))
      Promise.resolve(read(req, res, next)).catch(reject)
    })
  }
  // Express leaves the body undefined when none was sent: that is a body without members.
  const body: unknown = req.body
  return body === undefined ? {} : body
}

function announcesBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function parsePart(schema: z.ZodType | undefined, value: unknown): unknown {
  return schema === undefined ? undefined : validate(schema, value)
}

function sendResponse(res: Response, contract: RouteContract, response: unknown): void {
  res.status(contract.status)
  if (contract.response === null || response === undefined || response === null) {
    res.status(contract.emptyStatus ?? contract.status).end()
  } else if (contract.response === 'text') {
    res.type('text/plain').send(response)
  } else if (contract.response !== 'bytes') {
    // The schema is the allow-list of what leaves: members it does not name are dropped.
    res.json(contract.response.parse(response))
  }
}

function jsonBody(): RequestHandler {
  const limit = JSON_BODY_LIMIT_BYTES
  return boundedBody(express.json({ limit, strict: false }), limit)
}

/** A body of any other type would look as if nothing had been entered. */
const requireForm: RequestHandler = (req, _res, next) => {
  // `null` without a body, as from a form without fields.
  if (req.is('application/x-www-form-urlencoded') === false) {
    throw new AppError('unsupported_media_type')
  }
  next()
}

function formBody(): RequestHandler {
  const limit = JSON_BODY_LIMIT_BYTES
  return boundedBody(express.urlencoded({ limit, extended: false }), limit)
}

/**
 * Mounts the routes at their public paths, literal ones ahead of parameters. API tokens count where
 * `tokens` can check them.
 */
export function createRouter(
  routes: readonly ImplementedRoute[],
  tokens: TokenChecks | null = null,
): Router {
  const router = express.Router({ caseSensitive: true })
  for (const { contract, handlers } of [...routes].sort(byPrecedence)) {
    const guards = tokens === null ? [] : [admitToken(contract, tokens)]
    router[contract.method](contract.path, ...guards, ...handlers)
  }
  return router
}

// "/api/shares/all" must be tried before "/api/shares/:id".
function byPrecedence(a: ImplementedRoute, b: ImplementedRoute): number {
  return parameterPositions(a).localeCompare(parameterPositions(b))
}

function parameterPositions({ contract }: ImplementedRoute): string {
  return contract.path
    .split('/')
    .map((segment) => (segment.startsWith(':') ? '1' : '0'))
    .join('')
}
