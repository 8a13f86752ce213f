import { parseArgs } from 'node:util'
import { StartError } from '@floe/db'
import {
  type CheckReport,
  type Difference,
  openIntegrityCheck,
  openIntegrityRepair,
} from '@floe/file'
import { markShareLost, openShareRegister } from '@floe/share'
import { openInstalledObjects } from '@floe/runtime/host'
import { type CommandContext, count, openInstalledDatabase, runCommand } from './command.ts'
import { describeDifference } from './describe-difference.ts'

const exitCodes = { same: 0, different: 1 } as const

interface Options {
  deep: boolean
  repair: boolean
}

/** Compares storage and database as the environment names them; see `bin/verify.mjs`. */
async function verify(context: CommandContext): Promise<number> {
  const { deep, repair } = readArguments()
  const database = await openInstalledDatabase(context)
  const objects = await openInstalledObjects(context.environment, { database, ...context })
  const integrity = await openIntegrityCheck({
    database,
    objects,
    shares: openShareRegister(database),
  })
  const look = { isDeep: deep, signal: context.signal }
  const report = await integrity.run(look)
  for (const difference of report.differences) console.log(describeDifference(difference))
  console.log(summarize(report))
  if (report.differences.length === 0) return exitCodes.same
  if (!repair) return exitCodes.different

  const shares = { markLost: (uid: string) => markShareLost(database, uid) }
  const repairing = openIntegrityRepair({ database, objects, shares })
  const repairAll = async (differences: readonly Difference[]) => {
    for (const difference of differences) {
      context.signal.throwIfAborted()
      const outcome = (await repairing.repair(difference)) ? 'repaired' : 'left as it is'
      console.log(`${outcome}: ${describeDifference(difference)}`)
    }
  }
  await repairAll(report.differences)
  // A share that lost its last file is empty only now.
  const second = await integrity.run({ ...look, isDeep: false })
  await repairAll(second.differences.filter(({ kind }) => kind === 'files_gone'))
  const left = await integrity.run(look)
  console.log(summarize(left))
  return left.differences.length === 0 ? exitCodes.same : exitCodes.different
}

function readArguments(): Options {
  try {
    const flag = { type: 'boolean', default: false } as const
    return parseArgs({ options: { deep: flag, repair: flag } }).values
  } catch (cause) {
    throw new StartError(
      'unknown option; the options are --deep (also read every byte) and --repair (fix what can be fixed).',
      cause,
    )
  }
}

function summarize({ fileCount, objectCount, differences }: CheckReport): string {
  const found =
    differences.length === 0 ? 'no differences' : count(differences.length, 'difference')
  return `checked ${count(fileCount, 'file')}, ${count(objectCount, 'object')}: ${found}`
}

/** Compares storage and database; returns the exit code that `bin/verify.mjs` describes. */
export function runVerify(): Promise<number> {
  return runCommand(
    { name: 'verify', failure: 'Storage and database could not be compared' },
    verify,
  )
}
