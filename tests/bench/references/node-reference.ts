import { fileURLToPath } from 'node:url'
import { sourceNodeArgs } from '../harness/node-args.ts'
import { freePort, startProcess, waitForPort } from '../harness/process.ts'
import type { Scratch } from '../harness/scratch.ts'
import { toReference, type Reference } from './reference.ts'

export type NodeReference =
  'tus-server' | 'tus-s3-server' | 'archiver' | 'http-proxy-middleware' | 'undici'

/** Starts `<program>-process.ts` with PORT, FOLDER and `env`. */
export async function startNodeReference(
  scratch: Scratch,
  program: NodeReference,
  name: string,
  env: Record<string, string> = {},
): Promise<Reference> {
  const port = await freePort()
  const folder = env['FOLDER'] ?? scratch.folder(program)
  const script = fileURLToPath(new URL(`./${program}-process.ts`, import.meta.url))
  const running = startProcess({
    command: process.execPath,
    args: [...sourceNodeArgs, script],
    env: { NODE_ENV: 'production', PORT: `${port}`, FOLDER: folder, ...env },
    logFile: scratch.file(`${program}.log`),
  })
  await waitForPort(port, running)
  return toReference(running, { name, port, folder })
}
