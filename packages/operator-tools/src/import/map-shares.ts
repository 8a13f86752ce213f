import { shareIdSchema } from '@floe/contracts'
import type { Knex } from '@floe/db'
import type { ImportedFile } from '@floe/file'
import { deriveUuid, keepUuid, type Product, type SourceFile, type SourceShare } from '@floe/import'
import { FILES_LOST, findShares, type ImportedShare, isReservedShareId } from '@floe/share'
import type { Resolution } from './read-options.ts'

export interface SharePage {
  shares: ImportedShare[]
  files: ImportedFile[]
  conflicts: string[]
  losses: string[]
}

export interface ReverseShareTerms {
  receiverId: string
  isPrivate: boolean
}

export interface MapSharesOptions {
  knex: Knex
  product: Product
  onConflict: Resolution | null
  owners: ReadonlyMap<string, string | null>
  /** Of those that come, by their id there. */
  reverseShares: ReadonlyMap<string, ReverseShareTerms & { id: string }>
  /** Whether a share there has this link. */
  hasShare(link: string): boolean
  now: Date
  /** What ended then or earlier would be deleted at once. */
  keptSince: Date
}

/** What some shares and their files are here. Those that are here and whole are left out. */
export async function mapShares(
  page: readonly SourceShare[],
  options: MapSharesOptions,
): Promise<SharePage> {
  const mapped: SharePage = { shares: [], files: [], conflicts: [], losses: [] }
  const { product } = options
  const uidOf = (id: string) => deriveUuid(product, 'share', id)
  const uids = page.map(({ id }) => uidOf(id))
  const links = page.map(({ id }) => id)
  const here = await findShares(options.knex, { uids, links })
  for (const source of page) {
    const uid = uidOf(source.id)
    const known = here.find((one) => one.uid === uid)
    // Its row, counts and terms are its owner's by now; only what was unfinished may go on.
    if (known?.isCompleted || (known && !source.isCompleted)) continue
    // A draft has no owner's list to be kept in.
    const goneSince = source.isCompleted ? options.keptSince : options.now
    if (source.expiresAt !== null && source.expiresAt <= goneSince) {
      mapped.losses.push(
        `share ${source.id} expired on ${source.expiresAt.toISOString()}, and is left out`,
      )
      continue
    }
    const place = known
      ? { id: known.id, replaces: null }
      : await findPlace(source, here, options, mapped)
    if (place === null) continue
    const share = toShare(source, { uid, ...place }, options)
    const files = findFiles(source, share, { product, losses: mapped.losses })
    mapped.files.push(...files)
    mapped.shares.push(files.length === 0 ? withoutFiles(share, mapped.losses) : share)
  }
  return mapped
}

interface Place {
  /** Its link here. */
  id: string
  /** What had that link goes. */
  replaces: string | null
}

/** Null for a share that does not come. */
async function findPlace(
  { id }: SourceShare,
  here: readonly { uid: string; id: string }[],
  options: MapSharesOptions,
  mapped: SharePage,
): Promise<Place | null> {
  const { conflicts, losses } = mapped
  if (!canBeLink(id)) {
    const link = await findFreeLink(id, options, mapped)
    losses.push(`share ${id} has the link ${link} here, where no share can have its own`)
    return { id: link, replaces: null }
  }
  const holder = here.find((one) => one.id === id)
  if (!holder) return { id, replaces: null }
  conflicts.push(`share ${id}: a share here has this link`)
  if (options.onConflict === 'replace') {
    losses.push(`share ${id} replaced the one that had its link here`)
    return { id, replaces: holder.uid }
  }
  if (options.onConflict === 'skip') losses.push(`share ${id} is left out: its link is taken here`)
  if (options.onConflict !== 'rename') return null
  const link = await findFreeLink(id, options, mapped)
  losses.push(`share ${id} has the link ${link} here`)
  return { id: link, replaces: null }
}

function canBeLink(id: string): boolean {
  return shareIdSchema.safeParse(id).success && !isReservedShareId(id)
}

/** One that no share has, here or there. */
async function findFreeLink(
  id: string,
  { knex, hasShare }: MapSharesOptions,
  { shares }: SharePage,
): Promise<string> {
  const beginning = id.replaceAll(/[^A-Za-z0-9_-]/g, '-').slice(0, 40)
  for (let number = 2; ; number += 1) {
    const link = `${beginning}-${number}`
    if (hasShare(link) || shares.some((share) => share.id === link)) continue
    const [taken] = await findShares(knex, { uids: [], links: [link] })
    if (!taken) return link
  }
}

function toShare(
  source: SourceShare,
  { uid, id, replaces }: Place & { uid: string },
  { owners, reverseShares }: MapSharesOptions,
): ImportedShare {
  const { creatorId, reverseShareId } = source
  const ownerOf = (id: string | null) => (id === null ? null : (owners.get(id) ?? null))
  const through = reverseShareId === null ? undefined : reverseShares.get(reverseShareId)
  return {
    ...source,
    uid,
    id,
    creatorId: ownerOf(creatorId),
    reverseShareId: through?.id ?? null,
    receiverId: through?.receiverId ?? ownerOf(source.receiverId),
    isPrivate: source.isPrivate || (through?.isPrivate ?? false),
    replaces,
  }
}

/** Its page says so, as that of a share here that lost them. */
function withoutFiles(share: ImportedShare, losses: string[]): ImportedShare {
  if (!share.isCompleted || share.removedReason !== null) return share
  losses.push(`share ${share.id} has no files, and its page says so`)
  return { ...share, removedReason: FILES_LOST }
}

interface FindFilesOptions {
  product: Product
  losses: string[]
}

function findFiles(
  source: SourceShare,
  share: ImportedShare,
  options: FindFilesOptions,
): ImportedFile[] {
  return source.files.flatMap((file) => toFile(file, share, options) ?? [])
}

function toFile(
  { id, name, createdAt, sizeBytes, content }: SourceFile,
  { uid: shareUid, id: shareId, receiverId, creatorId }: ImportedShare,
  { product, losses }: FindFilesOptions,
): ImportedFile | null {
  if (content === null) {
    losses.push(`share ${shareId}: ${JSON.stringify(name)} has no bytes, and is left out`)
    return null
  }
  if (content.sizeBytes !== sizeBytes) {
    losses.push(
      `share ${shareId}: ${JSON.stringify(name)} has ${content.sizeBytes} bytes, its row says ${sizeBytes}`,
    )
  }
  const fileId = keepUuid(id, product, 'file', shareId)
  if (fileId !== id.toLowerCase()) {
    losses.push(`share ${shareId}: ${JSON.stringify(name)} has another direct link here`)
  }
  const chargedTo = receiverId ?? creatorId
  return { shareUid, shareId, chargedTo, id: fileId, name, createdAt, ...content }
}
