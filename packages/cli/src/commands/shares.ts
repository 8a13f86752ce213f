import { spawn } from 'node:child_process'
import { unwrap } from '@floe/client'
import { formatSize, NEVER_ON_WIRE } from '@floe/contracts'
import { type Call, type Command, serverOption } from '../command.ts'
import { readExpiration } from '../duration.ts'
import { CliError, exitCodes, UsageError } from '../failures.ts'
import { readShareLink } from '../get/link.ts'
import { findOwnServer, type Server } from '../server.ts'

function ownServer({ given, store, env }: Call): Promise<Server> {
  return findOwnServer(store, { named: given.text('server'), env })
}

/** Ids, or links to shares of this very site. */
function readIds(positionals: readonly string[], server: Server): string[] {
  if (positionals.length === 0) throw new UsageError('Say which share, by its id or its link.')
  return positionals.map((text) => {
    const { address, shareId } = readShareLink(text)
    if (address !== null && address !== server.address) {
      throw new UsageError(`${text} is not at ${server.address}: use --server.`)
    }
    return shareId
  })
}

/** `2026-12-24 18:00`, or `never`. */
function showEnd(expiration: string): string {
  const isNever = Date.parse(expiration) === Date.parse(NEVER_ON_WIRE)
  return isNever ? 'never' : new Date(expiration).toLocaleString('sv-SE').slice(0, 16)
}

export const ls: Command = {
  usage: 'ls',
  summary: 'List your shares',
  options: serverOption,
  async run(call) {
    const { terminal } = call
    const server = await ownServer(call)
    const shares = await unwrap(server.api.GET('/api/shares'))
    const rows = shares.map(({ id, name, expiration, views, size, files }) => ({
      ...{ id, url: server.shareLink(id), name, expiration, views, size },
      files: files.length,
    }))
    if (terminal.isJson) {
      terminal.printJson(rows)
      return
    }
    const width = Math.max(2, ...rows.map(({ id }) => id.length))
    if (terminal.isWatched && rows.length > 0) {
      terminal.note(terminal.dim(`${'ID'.padEnd(width)}  EXPIRES           VIEWS      SIZE  NAME`))
    }
    for (const { id, expiration, views, size, name } of rows) {
      const shown = formatSize(size, 'en').replace('\u00a0', ' ')
      const cells = [id.padEnd(width), showEnd(expiration).padEnd(16), String(views).padStart(5)]
      terminal.print([...cells, shown.padStart(8), oneLine(name ?? '')].join('  ').trimEnd())
    }
  },
}

/** Names are of their senders, and a terminal obeys control characters. */
function oneLine(text: string): string {
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ' ')
}

export const rm: Command = {
  usage: 'rm ID...',
  summary: 'Delete shares with their files',
  options: serverOption,
  async run(call) {
    const { terminal } = call
    const server = await ownServer(call)
    const ids = readIds(call.positionals, server)
    for (const id of ids) {
      await unwrap(server.api.DELETE('/api/shares/{id}', { params: { path: { id } } }))
      terminal.note(`Deleted ${id}.`)
    }
    if (terminal.isJson) terminal.printJson({ deleted: ids })
  },
}

export const extend: Command = {
  usage: 'extend ID DURATION',
  summary: 'Let a share end later, counted from now: 7d, 3mo, never',
  options: serverOption,
  async run(call) {
    const { terminal, positionals } = call
    const [named, duration] = positionals
    if (named === undefined || duration === undefined) {
      throw new UsageError('Say which share and how long: floe extend ID 7d')
    }
    const server = await ownServer(call)
    const [id = ''] = readIds([named], server)
    const { expiration } = await unwrap(
      server.api.PATCH('/api/shares/{id}', {
        params: { path: { id } },
        body: { expiration: readExpiration(duration) },
      }),
    )
    if (terminal.isJson) terminal.printJson({ id, expiration })
    else terminal.print(showEnd(expiration))
  },
}

const openers: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

export const open: Command = {
  usage: 'open ID',
  summary: 'Open a share in the browser, and print its link',
  options: serverOption,
  async run(call) {
    const { terminal, positionals, env } = call
    const server = await ownServer(call)
    const [id = ''] = readIds(positionals, server)
    const url = server.shareLink(id)
    if (terminal.isJson) terminal.printJson({ id, url })
    else terminal.print(url)
    const hasScreen = process.platform !== 'linux' || env['DISPLAY'] || env['WAYLAND_DISPLAY']
    if (!terminal.isWatched || !hasScreen) return
    await startBrowser(url)
  },
}

async function startBrowser(url: string): Promise<void> {
  const [program = 'xdg-open', ...args] = openers[process.platform] ?? []
  const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore' })
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', () => {
      reject(new CliError(`${program} could not be started.`, exitCodes.other))
    })
  })
  child.unref()
}
