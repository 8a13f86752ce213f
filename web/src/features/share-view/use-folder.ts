import type { ShareView } from '@floe/contracts'
import { useMemo } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { buildTree, foldersTo, openingFolder } from './file-tree.ts'

const FOLDER = 'folder'

/** The folder that the address names, and the way to it. */
export function useFolder({ files, coming }: ShareView) {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const root = useMemo(() => buildTree(files, coming?.files), [files, coming])
  const opening = useMemo(() => openingFolder(root), [root])
  const wanted = search.get(FOLDER) ?? opening.path
  const way = foldersTo(root, wanted)
  // What lies above an only folder is nowhere to go.
  const trail = way.includes(opening) ? way.slice(way.indexOf(opening)) : [opening]
  const openFolder = (path: string) => {
    const inside = `?${new URLSearchParams({ [FOLDER]: path }).toString()}`
    // The key of an encrypted share stays behind it.
    const { hash } = window.location
    void navigate({ search: path === opening.path ? '' : inside, hash })
  }
  return { folder: trail.at(-1) ?? opening, trail, openFolder }
}
