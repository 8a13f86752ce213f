import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** Every link, picture, style and script of the pages in the folder that leads to nothing. */
export function findDeadLinks(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const pages = files.filter((path) => path.endsWith('.html'))
  const documents = new Map(
    pages.map((path) => [join(folder, path), readFileSync(join(folder, path), 'utf8')]),
  )
  const ids = new Map([...documents].map(([path, html]) => [path, readIds(html)]))
  return [...documents].flatMap(([path, html]) =>
    [...html.matchAll(/\s(?:href|src|srcset)="([^"]*)"/g)].flatMap(([, url = '']) => {
      if (/^(?:https?|mailto):/.test(url)) return []
      const [file = '', hash] = url.split('#')
      const target = file === '' ? path : join(dirname(path), decodeURIComponent(file))
      const isThere = existsSync(target) && (hash === undefined || ids.get(target)?.has(hash))
      return isThere ? [] : [`${relative(folder, path)}: ${url}`]
    }),
  )
}

function readIds(html: string): Set<string> {
  return new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id))
}
