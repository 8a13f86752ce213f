import type { SharePort } from '@floe/contracts'
import { AppError } from '@floe/errors'
import type { Upload } from './upload.ts'

/** Where the bytes of an upload go, as the share service told it. */
export interface UploadTarget {
  /** 0 means no limit. */
  maxSizeBytes: number
  /** What its file becomes part of; 0 for a partial upload, which becomes no file. */
  edition: number
  toldAt: Date
}

export interface AskedTarget extends UploadTarget {
  /** Visitors read that edition already. */
  isPublished: boolean
}

export interface UploadTargets {
  /**
   * Asks the share service: a share deleted or completed meanwhile ends a transfer that would
   * otherwise run for hours. Fails with upload_gone, share_locked.
   */
  ask(upload: Pick<Upload, 'shareUid'>): Promise<AskedTarget>
  /** What a grant has just told. */
  granted(grant: Omit<UploadTarget, 'toldAt'>): UploadTarget
  /**
   * The target as it is now, to be asked for right before an upload becomes a file: what was told
   * before a long body may name an edition that visitors read by now. Fails like `ask`.
   */
  confirm(upload: Pick<Upload, 'shareUid'>, told: UploadTarget): Promise<UploadTarget>
}

/** Small files must not pay for a second question. */
const TOLD_FOR_MS = 1_000

export function createUploadTargets({
  share,
  clock,
}: {
  share: SharePort
  clock: () => Date
}): UploadTargets {
  const granted: UploadTargets['granted'] = ({ maxSizeBytes, edition }) => ({
    maxSizeBytes,
    edition,
    toldAt: clock(),
  })

  async function ask({ shareUid }: Pick<Upload, 'shareUid'>): Promise<AskedTarget> {
    if (shareUid === null) {
      return { ...granted({ maxSizeBytes: 0, edition: 0 }), isPublished: false }
    }
    const target = await share.uploadTarget({ shareUid })
    if (target.state === 'gone') throw new AppError('upload_gone')
    if (target.state === 'locked') throw new AppError('share_locked')
    return { ...granted(target), isPublished: target.isPublished }
  }

  return {
    ask,
    granted,
    confirm: async (upload, told) =>
      clock().getTime() - told.toldAt.getTime() < TOLD_FOR_MS ? told : ask(upload),
  }
}
