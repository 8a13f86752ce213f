import type { ShareView } from '@floe/contracts'
import { useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { buildTree, foldersTo, openingFolder } from './file-tree.ts'

const FOLDER = 'folder'

/**
 * The folder that the address names, and the way to it. Where names are encrypted it stands in the
 * fragment, with the key: what is in front of it reaches the server, at the latest as a referrer.
 */
export function useFolder({ files, coming, encrypted }: ShareView) {
  const { search, hash } = useLocation()
  const navigate = useNavigate()
  const root = useMemo(() => buildTree(files, coming?.files), [files, coming])
  const opening = useMemo(() => openingFolder(root), [root])
  const place = new URLSearchParams(encrypted ? hash.slice(1) : search)
  const way = foldersTo(root, place.get(FOLDER) ?? opening.path)
  // What lies above an only folder is nowhere to go.
  const trail = way.includes(opening) ? way.slice(way.indexOf(opening)) : [opening]
  const openFolder = (path: string) => {
    if (path === opening.path) place.delete(FOLDER)
    else place.set(FOLDER, path)
    void navigate(
      encrypted ? { search, hash: place.toString() } : { search: place.toString(), hash },
    )
  }
  return { folder: trail.at(-1) ?? opening, trail, openFolder }
}
