import { mkdir, rm } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { RELEASE_TAG } from '../../packages/contracts/src/version.ts'
import { findObstacles } from './check.ts'
import { ReleaseError } from './command.ts'
import { out } from './outputs.ts'
import { type Options, steps } from './steps.ts'

// npm run release -- --dry-run      makes everything there is to a release, from what is checked out
// npm run release -- <step>         takes one step of a real one
// --arch arm64                      makes the tarball of another architecture
const USAGE = 'npm run release -- --dry-run|<step>... [--arch x64|arm64]'

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        arch: { type: 'string', default: process.arch },
        'dry-run': { type: 'boolean', default: false },
      },
    })
    return { positionals, options: { arch: values.arch, isDryRun: values['dry-run'] } }
  } catch {
    throw new ReleaseError(`Unknown option: ${USAGE}`)
  }
}

async function dryRun(options: Options): Promise<void> {
  for (const obstacle of findObstacles()) console.warn(`In the way of a release: ${obstacle}`)
  await rm(out, { recursive: true, force: true })
  await mkdir(out)
  for (const [name, step] of Object.entries(steps)) {
    if (name !== 'check') await step(options)
  }
}

async function main(): Promise<void> {
  const { positionals, options } = readArguments()
  await mkdir(out, { recursive: true })
  const unknown = positionals.filter((name) => !(name in steps))
  if (unknown.length > 0) {
    const known = Object.keys(steps).join(', ')
    throw new ReleaseError(`There is no step ${unknown.join(', ')}, but ${known}.`)
  }
  if (positionals.length === 0 && !options.isDryRun) {
    throw new ReleaseError(
      `Publishing is what the workflow release.yml does: push the tag v${RELEASE_TAG}. ` +
        '--dry-run makes here what it publishes.',
    )
  }
  if (positionals.length === 0) await dryRun(options)
  for (const name of positionals) await steps[name]?.(options)
}

await main().catch((error: unknown) => {
  if (!(error instanceof ReleaseError)) throw error
  console.error(error.message)
  process.exitCode = 1
})
