import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { out, root } from './outputs.ts'
import { pack } from './pack.ts'

/** As `helm package` does, but the same bytes each time. */
export async function packChart(): Promise<void> {
  const folder = join(root, 'deploy/helm')
  const description = join(folder, 'floe/Chart.yaml')
  if (!existsSync(description)) return console.log('There is no Helm chart to pack')
  const [, version] = /^version:\s*["']?([^\s"']+)/m.exec(readFileSync(description, 'utf8')) ?? []
  pack(join(out, `floe-${version}.tgz`), { cwd: folder, paths: ['floe'] })
}
