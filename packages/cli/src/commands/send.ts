import { resolve } from 'node:path'
import { type Call, type Command, serverOption } from '../command.ts'
import { readExpiration } from '../duration.ts'
import { CliError, describeFailure, isRefusedForGood, UsageError } from '../failures.ts'
import { drawQr } from '../qr.ts'
import { passwordOptions, readPassword } from '../secrets.ts'
import { listLocalFiles } from '../send/local-files.ts'
import {
  forgetSend,
  listSends,
  resumeSend,
  type SendContext,
  sendFiles,
  sendStream,
  type Sent,
} from '../send/send.ts'
import type { ShareTerms } from '../send/share-terms.ts'
import { connectAgain, findOwnServer } from '../server.ts'

const WITHOUT_NAME = 'stdin'

export const send: Command = {
  usage: 'send [FILE...]',
  summary: 'Share files and folders, or what comes through a pipe, and print the link',
  options: {
    ...serverOption,
    name: { type: 'string', short: 'n', value: 'NAME', help: 'what the file of a pipe is called' },
    expires: {
      type: 'string',
      short: 'e',
      value: 'TIME',
      help: '30m, 12h, 7d, 2w, 3mo, 1y or never',
    },
    ...passwordOptions,
    views: { type: 'string', value: 'COUNT', help: 'how often it may be opened' },
    title: { type: 'string', value: 'TEXT', help: 'the name of the share' },
    note: { type: 'string', value: 'TEXT', help: 'what visitors read' },
    to: { type: 'string', value: 'EMAILS', help: 'who is sent the link, separated by commas' },
    link: { type: 'string', value: 'ID', help: 'the end of the link, instead of a drawn one' },
    encrypt: { type: 'boolean', help: 'only who has the whole link can read it; no server can' },
    e2e: { type: 'boolean', help: 'the same as --encrypt' },
    qr: { type: 'boolean', help: 'show the link as a QR code, too' },
  },
  async run(call) {
    const { positionals, given, store, terminal, env } = call
    const isPipe = isForPipe(positionals)
    if (!isPipe && given.text('name') !== undefined) {
      throw new UsageError('--name is for a pipe: files have names.')
    }
    const terms = await readTerms(call, isPipe)
    const server = await findOwnServer(store, { named: given.text('server'), env })
    const context = { server, store, terminal }
    const sent = isPipe
      ? await sendStream(context, {
          name: pipeName(given.text('name')),
          source: process.stdin,
          terms,
        })
      : await sendPaths(context, positionals, terms)
    await tell(call, sent)
  },
}

function isForPipe(positionals: readonly string[]): boolean {
  const isNamed = positionals.length === 1 && positionals[0] === '-'
  if (isNamed || (positionals.length === 0 && !process.stdin.isTTY)) return true
  if (positionals.length === 0) throw new UsageError('Say what to send: floe send FILE...')
  if (positionals.includes('-')) throw new UsageError('A pipe is sent alone.')
  return false
}

function pipeName(name: string | undefined): string {
  if (name?.includes('/')) throw new UsageError('The name of a file has no slash.')
  return name ?? WITHOUT_NAME
}

async function sendPaths(context: SendContext, paths: string[], terms: ShareTerms): Promise<Sent> {
  const { files, left } = await listLocalFiles(paths)
  for (const name of left) context.terminal.warn(`${name} is no file, and is left out.`)
  if (files.length === 0) throw new CliError('There is no file to send.')
  return sendFiles(context, { paths: paths.map((path) => resolve(path)), files, terms })
}

async function readTerms(call: Call, isPipe: boolean): Promise<ShareTerms> {
  const { given } = call
  const encrypted = given.is('encrypt') || given.is('e2e')
  const [views, to] = [given.text('views'), given.text('to')]
  const password = await readPassword(call, { isInputTaken: isPipe })
  const expires = given.text('expires')
  if (views !== undefined && !/^[1-9]\d{0,8}$/.test(views)) {
    throw new UsageError('--views is a number from 1.')
  }
  const texts = {
    id: given.text('link'),
    name: given.text('title'),
    description: given.text('note'),
  }
  return {
    ...definedOf(texts),
    ...(encrypted && { encrypted }),
    ...(expires !== undefined && { expiration: readExpiration(expires) }),
    ...(password !== undefined && { password }),
    ...(views !== undefined && { maxViews: Number(views) }),
    ...(to !== undefined && { recipients: to.split(',').map((address) => address.trim()) }),
  }
}

function definedOf(texts: Record<string, string | undefined>): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [name, text] of Object.entries(texts)) if (text !== undefined) found[name] = text
  return found
}

async function tell({ terminal, given }: Call, sent: Sent): Promise<void> {
  if (terminal.isJson) terminal.printJson(sent)
  else terminal.print(sent.url)
  const isKeyless = given.text('to') !== undefined && new URL(sent.url).hash !== ''
  if (isKeyless) terminal.note('The emails lack the key: send the whole link yourself.')
  if (given.is('qr') || terminal.isWatched) terminal.note(drawQr(sent.url))
}

export const resume: Command = {
  usage: 'resume',
  summary: 'Go on with everything that was not sent to its end',
  options: {
    forget: { type: 'boolean', help: 'forget what cannot be gone on with now' },
  },
  async run(call) {
    const { given, store, terminal, env } = call
    const results: Sent[] = []
    let failure: unknown
    let isLeft = false
    for (const begun of await listSends({ store })) {
      terminal.note(`Going on with ${begun.paths.join(' ')}`)
      try {
        const server = await connectAgain(store, { address: begun.server, env })
        const { files } = await listLocalFiles(begun.paths)
        const sent = await resumeSend({ server, store, terminal }, begun, files)
        results.push(sent)
        if (!terminal.isJson) terminal.print(sent.url)
      } catch (error) {
        // The others go on; the first one tells how it ended.
        if (failure) terminal.warn(describeFailure(error).message)
        failure ??= error
        if (given.is('forget') || isRefusedForGood(error)) {
          await forgetSend({ store }, begun)
          terminal.note(`Forgot ${begun.paths.join(' ')}.`)
        } else isLeft = true
      }
    }
    if (terminal.isJson) terminal.printJson(results)
    else if (results.length === 0 && !failure) terminal.note('There is nothing to go on with.')
    if (isLeft) terminal.note('To give up what failed: floe resume --forget')
    if (failure) throw failure
  },
}
