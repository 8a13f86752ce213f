import type { Socket } from 'node:net'

import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

import { type CaughtMessage, readMessage } from './smtp-message.ts'

export interface SmtpCatcher {
  readonly host: string
  /** Stays the same over `stop` and `start`. */
  readonly port: number
  /** In the order they were taken. */
  readonly messages: readonly CaughtMessage[]
  /** How often somebody connected so far. */
  readonly connections: number
  /** How many recipients were refused so far. */
  readonly refusals: number
  /** Sign-ins that were tried, right and wrong ones. */
  readonly logins: readonly { username: string; password: string }[]
  /** Recipients are refused from now on, for good (550) or for now (451); `null` ends that. */
  refuse(reply: 'for good' | 'for now' | null): void
  /** Messages are taken from now on, but their senders wait for the response; `false` gives it. */
  keepWaiting(isWaiting: boolean): void
  /** An outage: the port is closed and every connection cut. */
  stop(): Promise<void>
  /** After the outage. */
  start(): Promise<void>
  /** Resolves with all messages (to an address) once there are `count` of them. */
  waitForMessages(
    count: number,
    options?: { to?: string; timeoutMs?: number },
  ): Promise<CaughtMessage[]>
}

export interface SmtpCatcherOptions {
  /** Senders must sign in with these. */
  login?: { username: string; password: string }
  /** Offers STARTTLS, with a certificate nobody vouches for. */
  offersTls?: boolean
}

/** A real SMTP server on a free port of this machine that keeps what it is given. */
export async function startSmtpCatcher(options: SmtpCatcherOptions = {}): Promise<SmtpCatcher> {
  const messages: CaughtMessage[] = []
  const logins: { username: string; password: string }[] = []
  const waiters = new Set<() => void>()
  let refusal: 'for good' | 'for now' | null = null
  const waiting: (() => void)[] = []
  let isKeptWaiting = false
  let connections = 0
  let refusals = 0

  const serverOptions: SMTPServerOptions = {
    ...accessOptions(options, logins),
    disableReverseLookup: true,
    logger: false,
    onConnect: (_session, callback) => {
      connections += 1
      callback()
    },
    onRcptTo: (_address, _session, callback) => {
      if (refusal === null) return callback()
      refusals += 1
      if (refusal === 'for good') callback(reply(550, 'No such mailbox here'))
      else callback(reply(451, 'Come back later'))
    },
    onData: (stream, { envelope, secure }, callback) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.once('error', callback)
      stream.once('end', () => {
        messages.push(
          readMessage(Buffer.concat(chunks).toString('latin1'), {
            from: envelope.mailFrom ? envelope.mailFrom.address : '',
            to: envelope.rcptTo.map(({ address }) => address),
            isEncrypted: secure,
          }),
        )
        if (isKeptWaiting) waiting.push(() => callback())
        else callback()
        waiters.forEach((check) => check())
      })
    },
  }

  let listening = await listen(serverOptions, 0)
  const { port } = listening

  return {
    host: '127.0.0.1',
    port,
    messages,
    get connections() {
      return connections
    },
    get refusals() {
      return refusals
    },
    logins,
    refuse: (kind) => {
      refusal = kind
    },
    keepWaiting: (isWaiting) => {
      isKeptWaiting = isWaiting
      if (!isWaiting) for (const respond of waiting.splice(0)) respond()
    },
    stop: () => listening.stop(),
    start: async () => {
      listening = await listen(serverOptions, port)
    },
    waitForMessages: (count, { to, timeoutMs = 15_000 } = {}) => {
      const find = () => messages.filter((message) => to === undefined || message.to.includes(to))
      return waitUntil(() => find().length >= count, { waiters, timeoutMs }).then(find, () => {
        const whose = to === undefined ? '' : ` to ${to}`
        throw new Error(`${find().length} of ${count} messages${whose} came in ${timeoutMs} ms`)
      })
    },
  }
}

function accessOptions(
  { login, offersTls = false }: SmtpCatcherOptions,
  logins: { username: string; password: string }[],
): SMTPServerOptions {
  return {
    authOptional: login === undefined,
    allowInsecureAuth: true,
    disabledCommands: [...(offersTls ? [] : ['STARTTLS']), ...(login ? [] : ['AUTH'])],
    onAuth: ({ username = '', password }, _session, callback) => {
      logins.push({ username, password: password ?? '' })
      const isRight = username === login?.username && password === login.password
      if (isRight) callback(null, { user: username })
      else callback(reply(535, 'Wrong name or password'))
    },
  }
}

function reply(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}

interface Listening {
  port: number
  stop(): Promise<void>
}

function listen(options: SMTPServerOptions, wantedPort: number): Promise<Listening> {
  // A sender may die right after the last byte of its message. The library drops what it has not parsed
  // by the time the connection is closed, and takes a turn of the event loop for each line that begins
  // with a dot.
  const smtp = new SMTPServer({ ...options, allowHalfOpen: true })
  const sockets = new Set<Socket>()
  smtp.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return new Promise((resolve, reject) => {
    smtp.once('error', reject)
    smtp.listen(wantedPort, '127.0.0.1', () => {
      smtp.off('error', reject)
      // A client that goes away in mid-sentence is part of many tests.
      smtp.on('error', () => undefined)
      const address = smtp.server.address()
      resolve({
        port: typeof address === 'object' && address ? address.port : 0,
        stop: () =>
          new Promise((stopped) => {
            if (!smtp.server.listening) return stopped()
            smtp.close(() => stopped())
            for (const socket of sockets) socket.destroy()
          }),
      })
    })
  })
}

/** Looks when something came, not every so often. */
function waitUntil(
  isDone: () => boolean,
  { waiters, timeoutMs }: { waiters: Set<() => void>; timeoutMs: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      waiters.delete(check)
      reject(new Error('Nothing came in time'))
    }, timeoutMs)
    function check(): void {
      if (!isDone()) return
      clearTimeout(timer)
      waiters.delete(check)
      resolve()
    }
    waiters.add(check)
    check()
  })
}
