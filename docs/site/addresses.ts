import { posix } from 'node:path'
import type { Page } from './pages.ts'
import { isRepositoryFile } from './repository.ts'

/** Files of the site, each by its path below the root. */
export interface Addresses {
  /** The address that the page uses for what its Markdown calls `url`. */
  rewrite: (page: Page, url: string) => string
  /** Files of the repository that pages show as pictures. */
  pictures: Set<string>
  /** Files of the repository that pages link to; each becomes a page that shows it. */
  sources: Set<string>
  /** Where a page links to what is not there. */
  dead: string[]
}

export function createAddresses(pages: readonly Page[]): Addresses {
  const pagesBySource = new Map(pages.map((page) => [page.source, page]))
  const pictures = new Set<string>()
  const sources = new Set<string>()
  const dead: string[] = []

  function find(page: Page, url: string): string {
    const [path = '', hash] = url.split('#')
    const end = hash === undefined ? '' : `#${hash}`
    if (path.startsWith('site:')) return `${path.slice('site:'.length)}.html${end}`
    const from = posix.dirname(page.source)
    const source = posix.join(from, path).replace(/\/$/, '')
    const target = pagesBySource.get(source)
    if (target) return `${target.path}.html${end}`
    if (!isRepositoryFile(source)) {
      dead.push(`${page.source} links to ${url}`)
      return url
    }
    if (/\.(?:png|webp|svg)$/.test(source)) {
      pictures.add(source)
      return picturePath(source)
    }
    sources.add(source)
    return `${sourcePath(source)}.html`
  }

  return {
    rewrite: (page, url) =>
      /^(?:[a-z]+:\/\/|mailto:|#)/.test(url)
        ? url
        : relativeTo(`${page.path}.html`, find(page, url)),
    pictures,
    sources,
    dead,
  }
}

/** Relative, so that the site may lie at any address, or in a folder that a browser opens. */
export function relativeTo(from: string, to: string): string {
  const [path = '', hash] = to.split('#')
  const relative = posix.relative(posix.dirname(from), path)
  return hash === undefined ? relative : `${relative}#${hash}`
}

export function picturePath(source: string): string {
  return source.replace(/^docs\//, '')
}

export function sourcePath(source: string): string {
  return `files/${source}`
}
