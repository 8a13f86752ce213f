import { type components, FloeError, unwrap } from '@floe/client'
import { generateShareId } from '@floe/contracts'
import { CliError, exitCodes } from '../failures.ts'
import type { Server } from '../server.ts'
import type { Terminal } from '../terminal.ts'
import { createPatience, persist, sayWaiting } from './patience.ts'

/** How a share is to be; what is absent is as the site proposes it. */
export interface ShareTerms {
  id?: string
  name?: string
  description?: string
  /** As the API writes it: `7-days`. */
  expiration?: string | undefined
  /** What the server checks is another one where the share is encrypted. */
  password?: string
  maxViews?: number
  recipients?: string[]
  /** Names and contents stay with who has the link. */
  encrypted?: boolean
}

/** Some links of the length that is configured are taken by now. */
const MOST_DRAWN_LINKS = 5

export interface SiteSettings {
  shareIdLength: number
  /** As the API writes it. */
  defaultExpiration: string
  /** What administrators want a request to be at most; `null` for what the product is made for. */
  chunkBytes: number | null
  mailsRecipients: boolean
}

interface Calling {
  server: Server
  terminal: Terminal
}

export async function readSettings({ server, terminal }: Calling): Promise<SiteSettings> {
  const patience = createPatience({ onWait: sayWaiting(terminal) })
  const variables = await persist(() => unwrap(server.api.GET('/api/configs')), patience)
  const values = new Map(
    variables.map(({ key, value, defaultValue }) => [key, { value, defaultValue }]),
  )
  const chunk = values.get('share.chunkSize')
  const isChanged = chunk !== undefined && chunk.value !== chunk.defaultValue
  return {
    shareIdLength: Number(values.get('share.shareIdLength')?.value ?? 8),
    defaultExpiration: proposedExpiration(
      values.get('share.defaultExpiration')?.value,
      values.get('share.maxExpiration')?.value,
    ),
    chunkBytes: isChanged ? Number(chunk.value) : null,
    mailsRecipients: values.get('email.enableShareEmailRecipients')?.value === 'true',
  }
}

/** Throws a `CliError` where the site would take terms and not keep them. */
export function checkTerms({ recipients }: ShareTerms, { mailsRecipients }: SiteSettings): void {
  if (recipients === undefined || mailsRecipients) return
  const message = 'This site sends no emails to recipients: leave --to out, and send the link.'
  throw new CliError(message, exitCodes.refused)
}

/** Returns its id. All terms are decided here: what a killed program leaves has its password already. */
export async function beginShare(
  { server, terminal }: Calling,
  terms: ShareTerms,
  { shareIdLength, defaultExpiration }: SiteSettings,
): Promise<string> {
  for (let drawn = 1; ; drawn += 1) {
    const id = terms.id ?? generateShareId(shareIdLength)
    const { encrypted } = terms
    const proposed = { expiration: defaultExpiration, recipients: [] }
    const body = { ...proposed, ...asBody(terms), id, ...(encrypted && { encrypted }) }
    try {
      const patience = createPatience({ onWait: sayWaiting(terminal) })
      await persist(() => unwrap(server.api.POST('/api/shares', { body })), patience)
      return id
    } catch (error) {
      const isTaken = error instanceof FloeError && error.code === 'share_id_taken'
      if (!isTaken || terms.id !== undefined || drawn >= MOST_DRAWN_LINKS) throw error
    }
  }
}

export type Receipt = Pick<components['schemas']['CompletedShare'], 'id' | 'expiration'>

/** Publishes it. Its expiration counts from now. Fails with share_already_completed. */
export async function completeShare(
  { server, terminal }: Calling,
  shareId: string,
  terms: ShareTerms,
): Promise<Receipt> {
  const path = { id: shareId }
  let attempts = 0
  try {
    const body = asBody(terms)
    const complete = () => {
      attempts += 1
      return unwrap(server.api.POST('/api/shares/{id}/complete', { params: { path }, body }))
    }
    return await persist(complete, createPatience({ onWait: sayWaiting(terminal) }))
  } catch (error) {
    // The response to the first attempt was lost. Without one, others have set terms of their own.
    const isCompleted = error instanceof FloeError && error.code === 'share_already_completed'
    if (attempts === 1 || !isCompleted) throw error
    return persist(() =>
      unwrap(server.api.GET('/api/shares/{id}/from-owner', { params: { path } })),
    )
  }
}

/** Whether an own share is no draft any more. `false` where that cannot be found out. */
export async function isShared({ api }: Server, id: string): Promise<boolean> {
  const asked = unwrap(api.GET('/api/shares/{id}/from-owner', { params: { path: { id } } }))
  return asked.then(
    ({ state }) => state === 'completed',
    () => false,
  )
}

function asBody(terms: ShareTerms) {
  const { id, name, description, expiration, password, maxViews, recipients } = terms
  const security = {
    ...(password !== undefined && { password }),
    ...(maxViews !== undefined && { maxViews }),
  }
  return {
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(expiration !== undefined && { expiration }),
    ...(recipients !== undefined && { recipients }),
    ...(Object.keys(security).length > 0 && { security }),
  }
}

/** Both are hours; without a longest one it is 0. */
function proposedExpiration(proposed: string | undefined, longest: string | undefined): string {
  const hours = Number(proposed ?? 168)
  const most = Number(longest ?? 0)
  return `${most > 0 ? Math.min(hours, most) : hours}-hours`
}
