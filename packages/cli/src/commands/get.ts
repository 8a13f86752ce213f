import { type Call, type Command, serverOption } from '../command.ts'
import {
  type LinkedKey,
  lockWithPassword,
  type PasswordLock,
  type ShareKey,
} from '@floe/encryption'
import { CliError, exitCodes, UsageError } from '../failures.ts'
import { listEncrypted, type OpeningKey } from '../get/encrypted-remote.ts'
import { getFiles, refuseKept } from '../get/get.ts'
import { getToOutput } from '../get/get-to-output.ts'
import { readShareLink } from '../get/link.ts'
import { plainRemoteFile, type RemoteFile } from '../get/remote-file.ts'
import { endVisit, openShare, type Visit } from '../get/visit.ts'
import { passwordOptions, readPassword } from '../secrets.ts'
import { sayWaiting } from '../send/patience.ts'
import { connectAgain, findServer, type Server } from '../server.ts'

export const get: Command = {
  usage: 'get LINK',
  summary: 'Download a share; what is there already is not downloaded again',
  options: {
    ...serverOption,
    output: {
      type: 'string',
      short: 'o',
      value: 'DIR',
      help: 'where to; - is the standard output',
    },
    ...passwordOptions,
    force: { type: 'boolean', short: 'f', help: 'replace files that are there' },
  },
  async run(call) {
    const { positionals, given, store, terminal } = call
    const [link] = positionals
    if (link === undefined) throw new UsageError('Say which share: floe get LINK')
    const { address, shareId, key } = readShareLink(link)
    const server = await findSite(call, address)
    const entrance = key ? createLocked(call, key) : createOpen(call)
    const options = {
      ...{ shareId, store, askPassword: entrance.askPassword },
      onWait: sayWaiting(terminal),
    }
    const visit = await openShare(server, options)
    // Who asks the server for an encrypted share takes no other files from it.
    if (link.includes('#k=') && !visit.share.encrypted) throw notEncrypted()
    const found = await listFiles(visit, entrance)
    const folder = given.text('output') ?? '.'
    if (folder === '-') {
      await getToOutput(visit, found, process.stdout)
    } else {
      const overwrites = given.is('force')
      const got = await getFiles({ files: found, store, terminal, folder, overwrites })
      const { received: files, kept } = got
      if (terminal.isJson) terminal.printJson({ id: shareId, files })
      else for (const { path } of files) terminal.print(path)
      const unknown = files.filter(({ verified }) => !verified)
      if (unknown.length > 0) terminal.note('The server has no SHA-256 of some files yet.')
      refuseKept(kept)
    }
    await endVisit(server, options)
  },
}

interface Entrance {
  /** What the server is told where it asks for a password. */
  askPassword: (isEncrypted: boolean) => Promise<string>
  /** What opens an encrypted share; `null` where the link has no key. */
  findKey: () => Promise<OpeningKey | null>
}

function createOpen(call: Call): Entrance {
  return {
    // It opens nothing without the key, and the server is not to know it.
    askPassword: async (isEncrypted) => (isEncrypted ? failWithoutKey() : askPassword(call)),
    findKey: async () => null,
  }
}

/**
 * The password never leaves, also where the server asks for one that the link does not speak of. It
 * is asked for once.
 */
function createLocked(call: Call, { shareKey, hasPassword }: LinkedKey): Entrance {
  let lock: Promise<PasswordLock> | null = null
  const findLock = () => (lock ??= askPassword(call).then((text) => lockWith(shareKey, text)))
  return {
    askPassword: async () => (await findLock()).gate,
    async findKey() {
      const isLocked = hasPassword || lock !== null
      return { key: isLocked ? (await findLock()).openingKey : shareKey, isLocked }
    },
  }
}

async function lockWith(shareKey: ShareKey, password: string): Promise<PasswordLock> {
  if (password === '') throw new CliError('The share has a password.', exitCodes.refused)
  return lockWithPassword(shareKey, password)
}

async function listFiles(visit: Visit, { findKey }: Entrance): Promise<RemoteFile[]> {
  const { share } = visit
  if (!share.encrypted) return share.files.map((file) => plainRemoteFile(visit, file))
  return listEncrypted(visit, (await findKey()) ?? failWithoutKey())
}

function notEncrypted(): CliError {
  return new CliError(
    'The link has a key, and this share is not encrypted: it may not be from its sender.',
    exitCodes.refused,
  )
}

function failWithoutKey(): never {
  throw new CliError(
    'This share is encrypted, and the link lacks its key: ask its sender for all of the link.',
    exitCodes.refused,
  )
}

/** That of the link, with our token where we are signed in there. */
async function findSite({ given, store, env }: Call, address: string | null): Promise<Server> {
  const named = given.text('server')
  return address === null
    ? findServer(store, { named, env })
    : connectAgain(store, { address, env })
}

async function askPassword(call: Call): Promise<string> {
  const password = await readPassword(call)
  return password ?? call.terminal.askSecret('Password of the share')
}
