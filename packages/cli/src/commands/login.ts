import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, FloeError, unwrap } from '@floe/client'
import { DEVICE_CODE_GRANT } from '@floe/contracts'
import type { Call, Command } from '../command.ts'
import { CliError, exitCodes, UsageError } from '../failures.ts'
import { isTemporary } from '../send/patience.ts'
import { connect, readAddress } from '../server.ts'

const CLIENT_ID = 'floe-cli'
/** All that the commands need. */
const SCOPES = [
  ...['shares:read', 'shares:write', 'files:read'],
  ...['requests:read', 'requests:write', 'account:read'],
].join(' ')
/** RFC 8628 §3.5: so much longer after `slow_down`. */
const SLOW_DOWN_SECONDS = 5

export const login: Command = {
  usage: 'login URL',
  summary: 'Sign in: approve a code in a browser, or give a token',
  options: {
    'token-stdin': { type: 'boolean', help: 'read an access token from the standard input' },
  },
  async run(call) {
    const { positionals, given, store, terminal, env } = call
    const wanted = positionals[0] ?? env['FLOE_SERVER']
    if (wanted === undefined) {
      throw new UsageError('Say which site: floe login https://files.example.org')
    }
    const address = readAddress(wanted)
    const token = given.is('token-stdin') ? await readToken(call) : await askForToken(call, address)
    const username = await nameOf(address, token)
    await store.changeConfig((config) => {
      config.servers[address] = { token, ...(username !== undefined && { username }) }
      config.current = address
    })
    if (terminal.isJson) terminal.printJson({ server: address, username: username ?? null })
    else terminal.note(`Signed in to ${address}${username ? ` as ${username}` : ''}.`)
  },
}

async function readToken({ terminal }: Call): Promise<string> {
  const token = process.stdin.isTTY
    ? await terminal.askSecret('Access token')
    : (await terminal.readLine()).trim()
  if (!/^floe_[0-9A-Za-z]{36}$/.test(token)) {
    throw new UsageError('This is no access token: they begin with floe_ and have 41 characters.')
  }
  return token
}

/** `undefined` for a token that may not tell; one that is not valid is refused here. */
async function nameOf(address: string, token: string): Promise<string | undefined> {
  try {
    const user = await unwrap(connect(address, token).api.GET('/api/users/me'))
    return user.username
  } catch (error) {
    if (error instanceof FloeError && error.code === 'token_scope') return undefined
    throw error
  }
}

/** RFC 8628: works with every way to sign in that the site has. */
async function askForToken({ terminal }: Call, address: string): Promise<string> {
  const { api } = connect(address)
  const asked = await unwrap(
    api.POST('/api/oauth/device/authorize', {
      body: {
        client_id: CLIENT_ID,
        client_name: hostname().slice(0, 60) || CLIENT_ID,
        scope: SCOPES,
      },
    }),
  )
  const { user_code: code, verification_uri: page, verification_uri_complete: link } = asked
  if (terminal.isJson) terminal.warn(`Open ${link} and approve the code ${code}.`)
  terminal.note(`Open ${link}`)
  terminal.note(`and approve the code ${terminal.bold(code)}. (Without the link: ${page})`)
  return waitForApproval(api, asked)
}

async function waitForApproval(
  api: Client,
  {
    device_code,
    interval,
    expires_in,
  }: { device_code: string; interval: number; expires_in: number },
): Promise<string> {
  const endsAt = Date.now() + expires_in * 1000
  let seconds = interval
  while (Date.now() < endsAt) {
    await pause(seconds * 1000)
    const body = { grant_type: DEVICE_CODE_GRANT, device_code, client_id: CLIENT_ID } as const
    try {
      const { access_token } = await unwrap(api.POST('/api/oauth/device/token', { body }))
      return access_token
    } catch (error) {
      seconds += secondsMore(error)
    }
  }
  throw new CliError('Nobody approved the code in time. Run the command again.', exitCodes.refused)
}

/** How much longer to wait between two requests. Throws what ends the waiting. */
function secondsMore(error: unknown): number {
  const code = error instanceof FloeError ? error.code : null
  if (code === 'slow_down') return SLOW_DOWN_SECONDS
  if (code === 'authorization_pending' || isTemporary(error)) return 0
  if (code === 'access_denied') throw new CliError('The request was refused.', exitCodes.refused)
  if (error instanceof TypeError) return SLOW_DOWN_SECONDS
  throw error
}

export const logout: Command = {
  usage: 'logout [URL]',
  summary: 'Forget the token of a site; revoke it there under My account',
  options: {},
  async run({ positionals: [named], store, terminal }) {
    const { current } = await store.readConfig()
    const address = named === undefined ? current : readAddress(named)
    if (address === undefined) throw new UsageError('You are not signed in.')
    await store.changeConfig((config) => {
      const { [address]: _, ...others } = config.servers
      config.servers = others
      if (config.current === address) config.current = Object.keys(others)[0]
    })
    terminal.note(`Forgot the token of ${address}.`)
  },
}
