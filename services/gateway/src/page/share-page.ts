import {
  type ErrorCode,
  FORM_REFUSAL_PARAMETER,
  type FormRefusal,
  formRefusals,
  SHARE_ID_PATTERN,
  type ShareContents,
  type SharePort,
  type SharePreview,
} from '@floe/contracts'
import { isAppError } from '@floe/errors'
import { requestCredentials, statusOf } from '@floe/http'
import type { Request } from 'express'
import type { GatewayLog } from '../edge/request-log.ts'
import type { Boot } from './boot.ts'

/** Files that are listed unless all are asked for. */
export const FILES_AT_ONCE = 200

/** What a share's page says itself, before any script runs and where none does. */
export interface SharePage {
  id: string
  /** What anybody may know; `null` of a share that does not open to everybody. */
  preview: SharePreview | null
  /** For who was let in. */
  contents: ShareContents | null
  /** Why there is no preview. */
  refusal: Refusal | null
  /** Why the form that was just sent did not open it. */
  formRefusal: FormRefusal | null
}

export interface Refusal {
  /** `null` when nobody could tell. */
  code: ErrorCode | null
  message: string
}

export interface SharePageDependencies {
  share: Pick<SharePort, 'previewShare' | 'readShare'>
  log: GatewayLog
}

/** `null` on every other page. Counts nothing: previews and crawlers cost no view. */
export type SharePageReader = (req: Request, boot: Promise<Boot>) => Promise<SharePage | null>

export function createSharePageReader({ share, log }: SharePageDependencies): SharePageReader {
  function toRefusal(err: unknown): Refusal {
    if (isAppError(err) && statusOf(err) < 500) return { code: err.code, message: err.message }
    log.warn({ err }, 'page sent without its share preview')
    return { code: null, message: '' }
  }

  async function readPreview(shareId: string): Promise<Pick<SharePage, 'preview' | 'refusal'>> {
    try {
      return { preview: await share.previewShare({ shareId }), refusal: null }
    } catch (err) {
      return { preview: null, refusal: toRefusal(err) }
    }
  }

  async function readContents(req: Request, shareId: string): Promise<ShareContents | null> {
    const credentials = requestCredentials(req, shareId)
    const mostFiles = req.query['show'] === 'all' ? null : FILES_AT_ONCE
    try {
      return await share.readShare({ shareId, credentials, mostFiles })
    } catch (err) {
      toRefusal(err)
      return null
    }
  }

  return async (req, boot) => {
    const segment = /^\/share\/([^/]+)$/.exec(req.path)?.[1]
    if (segment === undefined) return null
    const formRefusal =
      formRefusals.find((code) => code === req.query[FORM_REFUSAL_PARAMETER]) ?? null
    if (!SHARE_ID_PATTERN.test(segment)) {
      const refusal = { code: 'share_not_found' as const, message: '' }
      return { id: segment, preview: null, contents: null, refusal, formRefusal }
    }
    const [known, { share: judged }] = await Promise.all([readPreview(segment), boot])
    const contents = judged?.refusal === null ? await readContents(req, segment) : null
    return { id: segment, ...known, contents, formRefusal }
  }
}
