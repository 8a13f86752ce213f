import { type AuthPort, dataRoutes } from '@floe/contracts'
import { implement, type ImplementedRoute } from '@floe/http'
import type { OwnData } from '../domain/own-data.ts'
import { actorOf, requireUser } from './request.ts'
import { sendPieces } from './send-pieces.ts'

export function createOwnDataRoutes({
  ownData,
  auth,
  clock,
}: {
  ownData: OwnData
  auth: AuthPort
  clock: () => Date
}): ImplementedRoute[] {
  return [
    implement(dataRoutes.exportOwnData, requireUser(auth), async ({ req, res }, user) => {
      const day = clock().toISOString().slice(0, 10)
      await sendPieces(res, {
        pieces: ownData.exportJson(user.userId, actorOf(user, req)),
        name: `account-${day}.json`,
        type: 'application/json; charset=utf-8',
      })
    }),
  ]
}
