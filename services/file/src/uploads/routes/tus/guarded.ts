import { setTusHeaders } from './headers.ts'
import type { Request, Response } from 'express'

/** Refusals speak tus too. */
export function guarded<A extends [{ req: Request; res: Response }, ...unknown[]], T>(
  run: (...args: A) => Promise<T>,
): (...args: A) => Promise<T> {
  return async (...args) => {
    const [call] = args
    try {
      return await run(...args)
    } catch (error) {
      if (!call.res.headersSent) setTusHeaders(call.res)
      throw error
    }
  }
}
