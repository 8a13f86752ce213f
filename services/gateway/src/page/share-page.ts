import {
  type Boot,
  CODE_REQUESTED_PARAMETER,
  findPage,
  FORM_REFUSAL_PARAMETER,
  formRefusals,
  SHARE_ID_PATTERN,
  type ShareContents,
  type SharePage,
  type SharePort,
  type ShareRefusal,
} from '@floe/contracts'
import { type AppError, isAppError } from '@floe/errors'
import { requestCredentials, statusOf } from '@floe/http'
import type { Request } from 'express'
import type { GatewayLog } from '../edge/request-log.ts'

/** Files that are listed unless all are asked for. */
export const FILES_AT_ONCE = 200

export interface SharePageDependencies {
  share: Pick<SharePort, 'previewShare' | 'readShare'>
  log: GatewayLog
}

/** What stands at the place of the id in the path of a share's page, as it was sent. */
export function shareOf(path: string): string | null {
  return findPage(path) === 'share' ? (path.split('/')[2] ?? null) : null
}

/** Whether what is refused is an encrypted share, as far as the refusal tells. */
export function isOfEncrypted({ members }: AppError): boolean {
  return members?.['encrypted'] === true
}

/** `null` on every other page. Counts nothing: previews and crawlers cost no view. */
export type SharePageReader = (req: Request, boot: Promise<Boot>) => Promise<SharePage | null>

export function createSharePageReader({ share, log }: SharePageDependencies): SharePageReader {
  function toRefusal(err: unknown): ShareRefusal {
    if (isAppError(err) && statusOf(err) < 500) {
      return { code: err.code, message: err.message, isEncrypted: isOfEncrypted(err) }
    }
    log.warn({ err }, 'page sent without its share preview')
    return { code: null, message: '', isEncrypted: false }
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
    const segment = shareOf(req.path)
    if (segment === null) return null
    const formRefusal =
      formRefusals.find((code) => code === req.query[FORM_REFUSAL_PARAMETER]) ?? null
    const isCodeRequested = req.query[CODE_REQUESTED_PARAMETER] !== undefined
    if (!SHARE_ID_PATTERN.test(segment)) {
      const refusal = { code: 'share_not_found' as const, message: '', isEncrypted: false }
      return { id: segment, preview: null, contents: null, refusal, formRefusal, isCodeRequested }
    }
    const [known, { share: judged }] = await Promise.all([readPreview(segment), boot])
    const contents = judged?.refusal === null ? await readContents(req, segment) : null
    return { id: segment, ...known, contents, formRefusal, isCodeRequested }
  }
}
