import { type ArchivePlan, planArchive } from '@floe/archive'
import type { ArchivePart, ArchiveStatus, ReadGrant } from '@floe/contracts'
import { AppError, isAppError } from '@floe/errors'
import { archiveEtag } from '../format/index.ts'
import type { FileStore, StoredFile } from '../../files/domain/file-ports.ts'
import {
  type FileGate,
  refusals,
  type Served,
  type ServedKey,
} from '../../antivirus/domain/file-gate.ts'
import { partOf } from './archive-parts.ts'
import type { SegmentState, SegmentStore } from './segment-ports.ts'

/** The archive of the edition a grant tells, from its rows; ranges of one download reuse it. */
export interface ArchivePlans {
  /**
   * Fails with `archive_not_ready` while files arrive, and while segments are missing at the level of
   * the edition, and then sees to it that they are made; with `file_not_found` where the part has no file. Files that do
   * not pass the gate are no part of it; fails as the gate does while one waits.
   */
  planFor(grant: ReadGrant, part?: ArchivePart): Promise<NamedPlan>
  /**
   * Whether `planFor` would succeed. A client that asks is about to download, so the layout is made
   * now and the first byte does not wait for it.
   */
  statusFor(grant: ReadGrant): Promise<ArchiveStatus>
}

export interface TaggedPlan extends ArchivePlan<ServedKey> {
  /** Strong entity tag with its quotes; equal only for equal bytes. */
  etag: string
}

/** `folder` is what everything in the archive lay in, and nothing in its names says any more. */
export type NamedPlan = TaggedPlan & { folder: string | null }

export interface ArchivePlansOptions {
  files: FileStore
  gate: Pick<FileGate, 'sift' | 'terms'>
  segments: SegmentStore
  clock: () => Date
}

const KEPT_PLANS = 32
const KEPT_ENTRIES = 200_000
/** Segments of one share are asked for this often, however many visitors wait for them. */
const REQUEST_INTERVAL_MS = 5_000
const KEPT_REQUESTS = 1_000
const retryAfterSeconds = 5

export function createArchivePlans(options: ArchivePlansOptions): ArchivePlans {
  const { files, gate, segments } = options
  const kept = new Map<string, { plan: NamedPlan; revision: string; entries: number }>()
  const requestSegments = createRequests(options)

  /** The plan, or how much of what it needs is there: from 0 to just below 1. */
  async function inspect(grant: ReadGrant, part: ArchivePart): Promise<NamedPlan | number> {
    const { shareUid, archiveLevel: level } = grant
    const revision = await revisionOf(grant)
    const key = [shareUid, part.folder ?? '', part.selection ?? ''].join('\n')
    const known = kept.get(key)
    if (known?.revision === revision) return known.plan
    const [listed, states] = await Promise.all([
      files.list(grant),
      level === 0 ? null : segments.list(shareUid, level),
    ])
    const { files: wanted, folder } = partOf(listed, part)
    if (wanted.length === 0) throw new AppError('file_not_found')
    const stored = await gate.sift(wanted)
    const progress = states === null ? 1 : measureProgress(stored, states)
    if (progress < 1) {
      await requestSegments(shareUid, level)
      return progress
    }
    const plan = { ...planOf(stored, states ?? []), folder }
    kept.delete(key)
    kept.set(key, { plan, revision, entries: stored.length })
    forgetOldest()
    return plan
  }

  /** Without a level the files alone decide. */
  async function revisionOf(grant: ReadGrant): Promise<string> {
    const { archiveLevel: level } = grant
    const ofFiles = [files.revision(grant), gate.terms()]
    if (level === 0) return (await Promise.all(ofFiles)).join('/')
    const revisions = await Promise.all([...ofFiles, segments.revision(grant.shareUid, level)])
    return [...revisions, level].join('/')
  }

  function forgetOldest() {
    let entries = 0
    for (const [key, known] of [...kept].reverse()) {
      entries += known.entries
      if (entries > KEPT_ENTRIES || kept.size > KEPT_PLANS) kept.delete(key)
    }
  }

  return {
    planFor: async (grant, part = {}) => {
      requireArrived(grant)
      const found = await inspect(grant, part)
      if (typeof found === 'number') throw new AppError('archive_not_ready', { retryAfterSeconds })
      return found
    },
    statusFor: async (grant) => {
      if (grant.isUploading) return { isReady: false }
      const found = await inspect(grant, {}).catch(whileHeld)
      return typeof found === 'number' ? { isReady: false, progress: found } : { isReady: true }
    },
  }
}

/** No progress can be told of what does not pass the gate. */
function whileHeld(error: unknown): number {
  if (refusals.some((code) => isAppError(error, code))) return 0
  throw error
}

/** Fails with `archive_not_ready` while files arrive: an archive of some would pass for all. */
export function requireArrived({ isUploading }: Pick<ReadGrant, 'isUploading'>): void {
  if (isUploading) throw new AppError('archive_not_ready', { retryAfterSeconds })
}

/** Asks the worker; a poll that follows soon after another does not ask again. */
function createRequests({ segments, clock }: ArchivePlansOptions) {
  const requestedAt = new Map<string, number>()

  return async function request(shareUid: string, level: number): Promise<void> {
    const key = `${shareUid}/${level}`
    const now = clock().getTime()
    const ageMs = now - (requestedAt.get(key) ?? -Infinity)
    // A clock set back must not keep anybody waiting.
    if (ageMs >= 0 && ageMs < REQUEST_INTERVAL_MS) return
    if (requestedAt.size >= KEPT_REQUESTS) requestedAt.clear()
    requestedAt.set(key, now)
    try {
      await segments.request(shareUid)
    } catch (error) {
      requestedAt.delete(key)
      throw error
    }
  }
}

/** By content; empty files need no segment. */
function measureProgress(stored: readonly StoredFile[], states: readonly SegmentState[]): number {
  const byFile = new Map(states.map((state) => [state.fileId, state]))
  let doneBytes = 0
  let totalBytes = 0
  for (const { id, sizeBytes } of stored) {
    const state = byFile.get(id)
    totalBytes += sizeBytes
    if (state !== undefined) doneBytes += state.ready === null ? state.sourceBytes : sizeBytes
  }
  return totalBytes === 0 ? 1 : doneBytes / totalBytes
}

function planOf(
  stored: readonly Served<StoredFile>[],
  states: readonly SegmentState[],
): TaggedPlan {
  const readyByFile = new Map(states.map(({ fileId, ready }) => [fileId, ready]))
  const entries = stored.map(({ id, objectKey, name, sizeBytes, crc32, createdAt, serve }) => {
    const segment = readyByFile.get(id)
    const entry = { fileId: id, objectKey, path: name, sizeBytes, crc32, modifiedAt: createdAt }
    if (segment === undefined || segment === null || segment.objectKey === null) return entry
    const { objectKey: segmentKey, sizeBytes: segmentBytes, readyAt } = segment
    return {
      ...entry,
      segment: { objectKey: serve(segmentKey), sizeBytes: segmentBytes, readyAt },
    }
  })
  const plan = planArchive(entries)
  return { ...plan, etag: archiveEtag(entries, plan.layout) }
}
