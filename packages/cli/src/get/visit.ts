import { type components, FloeError, unwrap } from '@floe/client'
import { shareTokenCookie } from '@floe/contracts'
import { z } from 'zod'
import { createPatience, type OnWait, persist } from '../send/patience.ts'
import { connect, type Server } from '../server.ts'
import type { Store } from '../settings.ts'

export type Share = components['schemas']['Share']

/** A share that is open to us, and what every request for its files says. */
export interface Visit {
  share: Share
  server: Server
  headers: Record<string, string>
  onWait: OnWait
}

const STATE = 'visits'
const visitSchema = z.object({ token: z.string() })

export interface OpenOptions {
  shareId: string
  /** Asked once, and only where there is one. */
  askPassword: (isEncrypted: boolean) => Promise<string>
  store: Store
  onWait: OnWait
}

/**
 * As its owner, by the visit of an earlier run, or by a new one. A visit may be counted, so one that
 * was broken off goes on.
 */
export async function openShare(server: Server, options: OpenOptions): Promise<Visit> {
  const { shareId, store, onWait } = options
  const own = server.token === undefined ? null : await readShare(server, options, {})
  if (own) return { share: own, server, headers: {}, onWait }
  // A token and the cookie of a visit do not go together.
  const visitor = connect(server.address)
  const key = `${server.address} ${shareId}`
  const known = await store.readState(STATE, key, visitSchema)
  if (known) {
    const headers = cookieOf(shareId, known.token)
    const share = await readShare(visitor, options, headers)
    if (share) return { share, server: visitor, headers, onWait }
  }
  const token = await beginVisit(visitor, options)
  await store.writeState(STATE, key, { token })
  const headers = cookieOf(shareId, token)
  const path = { id: shareId }
  const share = await persist(
    () => unwrap(visitor.api.GET('/api/shares/{id}', { params: { path }, headers })),
    createPatience(options),
  )
  return { share, server: visitor, headers, onWait }
}

/** Everything of it is here. */
export function endVisit({ address }: Server, { shareId, store }: OpenOptions): Promise<void> {
  return store.removeState(STATE, `${address} ${shareId}`)
}

function cookieOf(shareId: string, token: string): Record<string, string> {
  return { Cookie: `${shareTokenCookie(shareId)}=${token}` }
}

/** `null` where it takes a visit. */
async function readShare(
  server: Server,
  { shareId, onWait }: OpenOptions,
  headers: Record<string, string>,
): Promise<Share | null> {
  const path = { id: shareId }
  try {
    return await persist(
      () => unwrap(server.api.GET('/api/shares/{id}', { params: { path }, headers })),
      createPatience({ onWait }),
    )
  } catch (error) {
    const needsVisit = error instanceof FloeError && [401, 403].includes(error.status)
    if (needsVisit) return null
    throw error
  }
}

async function beginVisit(
  { api }: Server,
  { shareId, askPassword, onWait }: OpenOptions,
): Promise<string> {
  const path = { id: shareId }
  const ask = (password?: string) =>
    persist(
      () =>
        unwrap(
          api.POST('/api/shares/{id}/token', {
            params: { path },
            body: { ...(password !== undefined && { password }) },
          }),
        ),
      createPatience({ onWait }),
    )
  try {
    return (await ask()).token
  } catch (error) {
    if (!(error instanceof FloeError) || error.code !== 'share_password_required') throw error
    return (await ask(await askPassword(error.isEncrypted))).token
  }
}
