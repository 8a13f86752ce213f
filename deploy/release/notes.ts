import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { RELEASE_TAG, RELEASE_VERSION } from '../../packages/contracts/src/version.ts'
import { ReleaseError } from './command.ts'
import { outputPath, root } from './outputs.ts'

/** What the changelog says of the release; in a dry run, of what would be in the next one. */
export async function writeNotes({ isDryRun }: { isDryRun: boolean }): Promise<void> {
  const section = findSection(RELEASE_VERSION) ?? (isDryRun ? findSection('Unreleased') : undefined)
  if (section === undefined) {
    throw new ReleaseError(`CHANGELOG.md has no "## ${RELEASE_VERSION} - <date>".`)
  }
  const path = outputPath('-notes.md')
  await writeFile(path, `${withAddresses(section)}\n`)
  console.log(basename(path))
}

/** What stands below the heading of a version. */
export function findSection(
  version: string,
  changelog: string = readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
): string | undefined {
  const sections = changelog.split(/^## /m).slice(1)
  return sections
    .find((section) => section.split(/ - |\n/, 1)[0] === version)
    ?.replace(/^.*\n/, '')
    .trim()
}

/** Outside the repository, links to its files need the address of it. */
function withAddresses(section: string): string {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env
  if (server === undefined || repository === undefined) return section
  return section.replace(/\]\((?!\w+:|#)/g, `](${server}/${repository}/blob/v${RELEASE_TAG}/`)
}
