import { setTusHeaders } from './headers.ts'
import type { Request, Response } from 'express'
import { discardRestOfBody } from '../refuse-body.ts'

/** Refusals speak tus too, and let the sender finish before the connection is used again. */
export function guarded<C extends { req: Request; res: Response }>(
  handle: (call: C) => Promise<void>,
): (call: C) => Promise<void> {
  return async (call) => {
    try {
      await handle(call)
    } catch (error) {
      if (!call.res.headersSent) setTusHeaders(call.res)
      discardRestOfBody(call.req)
      throw error
    }
  }
}
