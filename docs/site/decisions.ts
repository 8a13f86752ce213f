import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from './pages.ts'
import { readRepositoryFile, root } from './repository.ts'

const folder = 'docs/adr'

/** One page for each decision. The menu has only their list. */
export function readDecisions(): Page[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => {
      const source = `${folder}/${name}`
      return {
        path: `decisions/${name.replace(/\.md$/, '')}`,
        source,
        markdown: readRepositoryFile(source),
      }
    })
}

export function listDecisions(): Page {
  const rows = readDecisions().map(({ source, markdown }) => {
    const [, heading = source] = /^# (.+)$/m.exec(markdown) ?? []
    return `- [${heading}](${source.slice('docs/'.length)})`
  })
  return {
    path: 'decisions/index',
    source: folder,
    markdown: [
      '# Decisions',
      'Why things are as they are, each on one page. A decision is superseded, not rewritten.',
      rows.join('\n'),
    ].join('\n\n'),
  }
}
