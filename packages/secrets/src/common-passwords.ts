import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

const LIST = '@zxcvbn-ts/language-common/src/passwords.json'
/** Shorter ones are refused for their length. */
const MIN_LENGTH = 8

/** Whether a password is among those that guessing begins with, in upper or lower case. */
export type IsCommon = (password: string) => Promise<boolean>

/** Reads the list when it is first asked. */
export function createCommonPasswords(): IsCommon {
  let list: Promise<string> | null = null
  return async (password) => {
    list ??= readList().catch((error: unknown) => {
      list = null
      throw error
    })
    return (await list).includes(`\n${password.toLowerCase()}\n`)
  }
}

/**
 * One to a line: kept as one text they take 170 kB, as strings of their own ten times as much. The
 * file is read and not imported, as a module would keep its strings.
 */
async function readList(): Promise<string> {
  const file = createRequire(import.meta.url).resolve(LIST)
  const listed: unknown = JSON.parse(await readFile(file, 'utf8'))
  if (!Array.isArray(listed)) throw new Error(`${LIST} is no list`)
  const kept = listed.filter((one) => typeof one === 'string' && one.length >= MIN_LENGTH)
  return `\n${kept.join('\n')}\n`
}
