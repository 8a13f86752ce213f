import { RELEASE_TAG, RELEASE_VERSION } from '../../packages/contracts/src/version.ts'
import { ReleaseError, run } from './command.ts'
import { findSection } from './notes.ts'

/** Refuses to release what is not what the tag says. */
export async function checkRelease(): Promise<void> {
  const obstacles = findObstacles()
  if (obstacles.length > 0) throw new ReleaseError(obstacles.join('\n'))
  console.log(`Ready to release ${RELEASE_VERSION}`)
}

export function findObstacles(): string[] {
  const obstacles = []
  const changes = run('git', ['status', '--porcelain'])
  if (changes !== '') obstacles.push(`there are changes that are not committed:\n${changes}`)
  const tag = `v${RELEASE_TAG}`
  const tags = run('git', ['tag', '--points-at', 'HEAD']).split('\n')
  if (!tags.includes(tag)) obstacles.push(`the commit has no tag ${tag}`)
  if (findSection(RELEASE_VERSION) === undefined) {
    obstacles.push(`CHANGELOG.md has no "## ${RELEASE_VERSION} - <date>"`)
  }
  return obstacles
}
