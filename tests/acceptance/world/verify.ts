import { runCommand, type Verdict } from './command.ts'

/** `npm run verify`: each difference a line, then what was checked. */
export function verify(dataDirectory: string, ...args: string[]): Promise<Verdict> {
  return runCommand('verify', { DATA_DIR: dataDirectory }, ...args)
}
