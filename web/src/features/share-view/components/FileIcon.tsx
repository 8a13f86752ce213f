import { useState } from 'react'
import { apiPaths } from '../../../shared/paths.ts'
import type { FileLeaf } from '../file-tree.ts'
import { isRemoved } from '../../../shared/scan-note.ts'
import { kindIconOf } from '../kind-icon.ts'
import classes from './FileIcon.module.css'

/** What stands before a file's name: a picture itself, if it can be had. */
export function FileIcon({ shareId, file }: { shareId: string; file: FileLeaf }) {
  const [failed, setFailed] = useState(false)
  if (!file.thumbnail || failed || isRemoved(file.scan)) {
    const Icon = kindIconOf(file.name)
    return <Icon className={classes.icon} size={20} aria-hidden="true" />
  }
  return (
    <img
      className={classes.picture}
      src={apiPaths.thumbnail(shareId, file.id)}
      alt=""
      loading="lazy"
      decoding="async"
      onError={() => setFailed(true)}
    />
  )
}
