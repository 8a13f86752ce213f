import { unlockAccount } from '@floe/auth'
import { StartError } from '@floe/db'
import { type CommandContext, openInstalledDatabase, runCommand } from './command.ts'

/** For whoever is locked out; see `bin/unlock.mjs`. */
async function unlock(context: CommandContext): Promise<number> {
  const [identifier, ...others] = process.argv.slice(2)
  if (identifier === undefined || others.length > 0) {
    throw new StartError('give the username or the email address of one account.')
  }
  const database = await openInstalledDatabase(context)
  const unlocked = await unlockAccount(database.knex, { identifier, now: new Date() })
  if (!unlocked) throw new StartError(`no account is called ${identifier}.`)
  const { publicUrl, port } = context.environment
  const site = (publicUrl ?? `http://localhost:${port}`).replace(/\/+$/, '')
  console.log(
    `${unlocked.username} has no second factor any more. Within an hour, a password can be`,
  )
  console.log(`chosen at ${site}/auth/resetPassword/${unlocked.resetToken}`)
  return 0
}

/** Prints a link that lets somebody in again; returns the exit code that `bin/unlock.mjs` describes. */
export function runUnlock(): Promise<number> {
  return runCommand({ name: 'unlock', failure: 'Nothing was unlocked' }, unlock)
}
