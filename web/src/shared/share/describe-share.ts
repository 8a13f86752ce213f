import { pathParts, visibleName } from '@floe/contracts'
import type { TFunction } from 'i18next'

export interface KnownShare {
  name: string | null
  /** Who sent it, if visitors are told. */
  sender: string | null
  fileCount: number
  /** The names of all its files; `null` where not all are known. */
  fileNames: readonly string[] | null
}

/**
 * What people call a share: its name; else that of its only file, or of the folder that all files lie
 * in; else how many there are and from whom. `sender` is who else is to be named beside it.
 */
export function describeShare(
  { name, sender, fileCount, fileNames }: KnownShare,
  t: TFunction,
): { heading: string; sender: string | null } {
  const called = name ?? (fileNames && onlyName(fileNames))
  if (called !== null) return { heading: visibleName(called), sender }
  if (sender === null) return { heading: t('share.folders.count', { count: fileCount }), sender }
  return { heading: t('share.filesFrom', { count: fileCount, name: sender }), sender: null }
}

function onlyName(fileNames: readonly string[]): string | null {
  const [first, ...others] = fileNames
  if (first === undefined) return null
  if (others.length === 0) return pathParts(first).at(-1) ?? first
  const folders = pathParts(first).slice(0, -1)
  const within = others.map((name) => pathParts(name).slice(0, -1))
  const depth = folders.findIndex((folder, at) => within.some((parts) => parts[at] !== folder))
  return (depth === -1 ? folders : folders.slice(0, depth)).at(-1) ?? null
}
