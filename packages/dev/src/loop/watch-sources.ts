import { type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'

const folders = ['packages', 'services', 'bin']
/** Editors write a file in several steps. */
const SETTLE_MS = 30

const source = /(?:^|\/)src\/.+\.(?:ts|json)$/
const testFile = /\.test\.ts$|(?:^|\/)(?:node_modules|dist)\//

/** Tells of a changed source of the server, once for changes that come together. */
export function watchSources(root: string, onChange: (file: string) => void): { close(): void } {
  let timer: NodeJS.Timeout | undefined
  const watchers: FSWatcher[] = folders.map((folder) =>
    watch(join(root, folder), { recursive: true }, (_event, name) => {
      const file = `${folder}/${(name ?? '').replaceAll('\\', '/')}`
      if (!source.test(file) || testFile.test(file)) return
      clearTimeout(timer)
      timer = setTimeout(() => onChange(file), SETTLE_MS)
    }),
  )
  return {
    close: () => {
      clearTimeout(timer)
      watchers.forEach((watcher) => watcher.close())
    },
  }
}
