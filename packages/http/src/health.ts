import { systemRoutes } from '@floe/contracts'
import type { Response } from 'express'
import { type ImplementedRoute, implementPublic } from './implement.ts'

export interface Health {
  /** Is the database there, and the process not about to end? */
  isUp(): Promise<boolean>
  /** Is everything there that a request may need? */
  isReady(): Promise<boolean>
  /** Of the release. */
  version: string
}

/**
 * For what supervises the process. Alive says only that it responds: a restart helps nothing that
 * is missing elsewhere. What is missing is not told.
 */
export function createHealthRoutes({ isUp, isReady, version }: Health): ImplementedRoute[] {
  return [
    implementPublic(systemRoutes.health, async ({ res }) => sendHealth(res, await isUp())),
    implementPublic(systemRoutes.healthDetails, async ({ res }) => {
      res.setHeader('Cache-Control', 'no-store')
      return { version, isUp: await isUp(), isReady: await isReady() }
    }),
    implementPublic(systemRoutes.healthLive, ({ res }) => sendHealth(res, true)),
    implementPublic(systemRoutes.healthReady, async ({ res }) => sendHealth(res, await isReady())),
  ]
}

function sendHealth(res: Response, isWell: boolean): void {
  res.setHeader('Cache-Control', 'no-store')
  res
    .status(isWell ? 200 : 503)
    .type('text/plain')
    .send(isWell ? 'OK' : 'ERROR')
}
