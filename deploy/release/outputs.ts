import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { RELEASE_VERSION } from '../../packages/contracts/src/version.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** Where everything ends up that a release consists of. */
export const out = join(root, 'deploy/release/out')

/** `floe-0.24.1+floe.1-docs.tar.gz` for `-docs.tar.gz`. */
export function outputPath(ending: string): string {
  return join(out, `floe-${RELEASE_VERSION}${ending}`)
}
