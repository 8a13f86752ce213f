import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { outputPath, root } from './outputs.ts'

/** The command line for machines that have Node.js. */
export async function copyCommandLine(): Promise<void> {
  await copyFile(join(root, 'packages/cli/dist/floe.mjs'), outputPath('-cli.mjs'))
}
