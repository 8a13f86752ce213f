import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'

const folders = ['packages', 'services', 'bin']
/** Editors write a file in several steps. */
const SETTLE_MS = 30

const source = /(?:^|\/)src\/.+\.(?:ts|json)$/
const testFile = /\.test\.ts$/
const notOurs = new Set(['node_modules', 'dist'])

/**
 * Tells of a changed source of the server, once for changes that come together. Folders are watched,
 * each by itself: what Node 20 watches recursively are files, and one that an editor replaces is
 * then another one, of which nothing more is heard.
 */
export function watchSources(root: string, onChange: (file: string) => void): { close(): void } {
  const watchers = new Map<string, FSWatcher>()
  let timer: NodeJS.Timeout | undefined

  function tell(path: string): void {
    if (!source.test(path) || testFile.test(path)) return
    clearTimeout(timer)
    timer = setTimeout(() => onChange(path), SETTLE_MS)
  }

  /** With all folders in it. */
  function follow(folder: string, onFile: (path: string) => void): void {
    const watcher = watch(join(root, folder), (event, name) => {
      if (name === null || notOurs.has(name)) return
      const path = `${folder}/${name}`
      // It came, went, or another one took its place, with all that is in it.
      if (event === 'rename') forget(path)
      if (event === 'rename' && isFolder(join(root, path))) followNew(path)
      else tell(path)
    })
    watcher.on('error', () => forget(folder))
    watchers.set(folder, watcher)
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`
      if (!entry.isDirectory()) onFile(path)
      else if (!notOurs.has(entry.name)) follow(path, onFile)
    }
  }

  function followNew(folder: string): void {
    try {
      follow(folder, tell)
    } catch (error) {
      // It went again meanwhile, which is told as well.
      if (isFolder(join(root, folder))) throw error
    }
  }

  function forget(folder: string): void {
    for (const [path, watcher] of watchers) {
      if (path !== folder && !path.startsWith(`${folder}/`)) continue
      watcher.close()
      watchers.delete(path)
    }
  }

  for (const folder of folders) follow(folder, () => undefined)
  return {
    close: () => {
      clearTimeout(timer)
      watchers.forEach((watcher) => watcher.close())
    },
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
