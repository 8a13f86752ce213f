import { timingSafeEqual } from 'node:crypto'
import { INTERNAL_SECRET_HEADER, type Port, type PortContract, portPath } from '@floe/contracts'
import { AppError } from '@floe/errors'
import express, { type RequestHandler, type Router } from 'express'
import { sendError, toAppError } from './error-response.ts'
import { validate } from './validate.ts'

const INTERNAL_BODY_LIMIT_BYTES = 50_000_000

/**
 * The server half of a port: `/internal/<port>/<method>`, JSON both ways, behind the shared
 * secret. Listens between processes only; the gateway never routes to it.
 */
export function createPortRouter<C extends PortContract>(
  contract: C,
  port: Port<C>,
  secret: string,
): Router {
  const router = express.Router()
  router.use(`/internal/${contract.name}`, requireSecret(secret))
  for (const [name, method] of Object.entries(contract.methods)) {
    router.post(
      portPath(contract, name),
      express.json({ limit: INTERNAL_BODY_LIMIT_BYTES, strict: false }),
      async (req, res) => {
        try {
          const call = port[name as keyof C['methods']] as (input: unknown) => Promise<unknown>
          const output = await call(validate(method.input, req.body))
          res.json({ output: output ?? null })
        } catch (error) {
          sendError(res, toAppError(error))
        }
      },
    )
  }
  return router
}

function requireSecret(secret: string): RequestHandler {
  const expected = Buffer.from(secret)
  return (req, _res, next) => {
    const given = Buffer.from(req.get(INTERNAL_SECRET_HEADER) ?? '')
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      throw new AppError('route_not_found')
    }
    next()
  }
}

/**
 * The local object as seen through its contract: inputs and outputs pass the schemas, so nothing
 * works by sharing a reference that would not survive the wire.
 */
export function throughContract<C extends PortContract>(contract: C, port: Port<C>): Port<C> {
  const checked = Object.entries(contract.methods).map(([name, method]) => {
    const call = port[name as keyof C['methods']] as (input: unknown) => Promise<unknown>
    return [
      name,
      async (input: unknown) => method.output.parse(await call(method.input.parse(input))),
    ]
  })
  return Object.fromEntries(checked) as Port<C>
}
