import { JSON_BODY_LIMIT_BYTES, type RouteContract } from '@floe/contracts'
import { AppError } from '@floe/errors'
import express, { type Request, type RequestHandler, type Response, type Router } from 'express'
import type { z } from 'zod'
import { type FormFile, readFormFile } from './form-file.ts'
import { validate } from './validate.ts'

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined
type AnswerOf<R extends RouteContract> = R['answer'] extends z.ZodType
  ? z.input<R['answer']>
  : R['answer'] extends 'text'
    ? string
    : void

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

/** A route contract with the code that answers it. */
export interface ImplementedRoute {
  contract: RouteContract
  handlers: RequestHandler[]
}

/**
 * Binds a handler to its contract. The handler returns the answer; it may also send one itself
 * (bytes, an empty 200), and then returns nothing. Raw routes and forms get no body parser.
 */
export function implement<R extends RouteContract>(
  contract: R,
  handle: (call: Call<R>) => Promise<AnswerOf<R> | void> | AnswerOf<R> | void,
): ImplementedRoute {
  const { file } = contract
  const handler: RequestHandler = async (req, res) => {
    const call = {
      req,
      res,
      params: parsePart(contract.params, req.params),
      query: parsePart(contract.query, req.query),
      // Express leaves the body undefined when none was sent: that is a body without members.
      body: parsePart(contract.body, req.body === undefined ? {} : req.body),
      readFile: file && (() => readFormFile(req, res, file)),
    } as Call<R>
    const answer = await handle(call)
    if (res.headersSent || res.destroyed || contract.answer === 'bytes') return
    sendAnswer(res, contract, answer)
  }
  const readsItself = contract.raw || file
  const readers = readsItself ? [] : contract.form ? [requireForm, formBody()] : [jsonBody()]
  return { contract, handlers: [...readers, handler] }
}

function parsePart(schema: z.ZodType | undefined, value: unknown): unknown {
  return schema === undefined ? undefined : validate(schema, value)
}

function sendAnswer(res: Response, contract: RouteContract, answer: unknown): void {
  res.status(contract.status)
  if (contract.answer === null || answer === undefined || answer === null) {
    res.end()
  } else if (contract.answer === 'text') {
    res.type('text/plain').send(answer)
  } else if (contract.answer !== 'bytes') {
    // The schema is the allow-list of what leaves: members it does not name are dropped.
    res.json(contract.answer.parse(answer))
  }
}

function jsonBody(): RequestHandler {
  return express.json({ limit: JSON_BODY_LIMIT_BYTES, strict: false })
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
  return express.urlencoded({ limit: JSON_BODY_LIMIT_BYTES, extended: false })
}

/** Mounts the routes at their public paths, literal ones ahead of parameters. */
export function createRouter(routes: readonly ImplementedRoute[]): Router {
  const router = express.Router({ caseSensitive: true })
  for (const { contract, handlers } of [...routes].sort(byPrecedence)) {
    router[contract.method](contract.path, ...handlers)
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
