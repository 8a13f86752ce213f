import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { RELEASE_VERSION } from '../../packages/contracts/src/version.ts'
import { npm } from './command.ts'
import { listShipped } from './locked-packages.ts'
import { outputPath } from './outputs.ts'
import { commitSeconds } from './pack.ts'

/** As much of CycloneDX as is looked at here. */
interface Sbom {
  serialNumber: string
  metadata: { timestamp: string; component: { name: string; version: string } }
  components: { 'bom-ref': string }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/**
 * Writes what a release consists of on both architectures. npm lists the tools of the build too, or
 * else leaves out what these have in common with Floe.
 */
export async function writeSbom(): Promise<void> {
  const workspaces = ['--workspace=@floe/bin', '--workspace=@floe/web']
  const listed = npm(['sbom', '--sbom-format=cyclonedx', '--package-lock-only', ...workspaces])
  const sbom = JSON.parse(listed) as Sbom
  const shipped = new Set(
    listShipped(['x64', 'arm64']).map(({ name, version }) => `${name}@${version}`),
  )
  sbom.components = sbom.components.filter((one) => shipped.has(one['bom-ref']))
  sbom.dependencies = sbom.dependencies
    .filter(({ ref }) => shipped.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((on) => shipped.has(on)) }))
  Object.assign(sbom.metadata.component, { name: 'floe', version: RELEASE_VERSION })
  // The same release has the same list, so neither the time nor the number may be of the day.
  sbom.metadata.timestamp = new Date(commitSeconds() * 1000).toISOString()
  sbom.serialNumber = `urn:uuid:${uuidOf(JSON.stringify(sbom.components))}`
  const path = outputPath('.cdx.json')
  await writeFile(path, `${JSON.stringify(sbom, null, 2)}\n`)
  console.log(basename(path))
}

function uuidOf(content: string): string {
  const digits = createHash('sha256').update(content).digest('hex')
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
}
