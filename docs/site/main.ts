import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildSite } from './build.ts'
import { findDeadLinks } from './links.ts'
import { serveFolder } from './serve.ts'

// `npm run docs` writes the site into docs/dist; `npm run docs -- --serve` shows it too.
const output = fileURLToPath(new URL('../dist', import.meta.url))
const { values } = parseArgs({
  options: { serve: { type: 'boolean' }, port: { type: 'string', default: '4000' } },
})

const { pages } = await buildSite(output)
const dead = findDeadLinks(output)
if (dead.length > 0) {
  console.error(`Links that lead nowhere:\n${dead.join('\n')}`)
  process.exitCode = 1
} else {
  console.log(`${pages.length} pages in ${relative(process.cwd(), output)}`)
  if (values.serve) console.log(await serveFolder(output, Number(values.port)))
}
