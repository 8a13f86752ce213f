import { unwrap } from '@floe/client'
import { type Command, serverOption } from '../command.ts'
import { readExpiration } from '../duration.ts'
import { UsageError } from '../failures.ts'
import { drawQr } from '../qr.ts'
import { readSize } from '../read-size.ts'
import { passwordOptions, readPassword } from '../secrets.ts'
import { findOwnServer } from '../server.ts'

export const request: Command = {
  usage: 'request [NAME]',
  summary: 'Make a link through which others send you files, and print it',
  options: {
    ...serverOption,
    expires: {
      type: 'string',
      short: 'e',
      value: 'TIME',
      help: 'when it ends; 7d unless said otherwise',
    },
    size: { type: 'string', value: 'SIZE', help: 'the largest share: 500MB, 10GB (1GB)' },
    uses: { type: 'string', value: 'COUNT', help: 'how many shares may come (1)' },
    ...passwordOptions,
    notify: { type: 'boolean', help: 'be told by e-mail when something came' },
    qr: { type: 'boolean', help: 'show the link as a QR code, too' },
  },
  async run(call) {
    const { positionals, given, store, terminal, env } = call
    const [name] = positionals
    const uses = given.text('uses') ?? '1'
    if (!/^[1-9]\d{0,3}$/.test(uses)) throw new UsageError('--uses is a number from 1.')
    const password = await readPassword(call)
    const server = await findOwnServer(store, { named: given.text('server'), env })
    const created = await unwrap(
      server.api.POST('/api/reverseShares', {
        body: {
          shareExpiration: readExpiration(given.text('expires') ?? '7d'),
          maxShareSize: String(readSize(given.text('size') ?? '1GB')),
          maxUseCount: Number(uses),
          sendEmailNotification: given.is('notify'),
          ...(name !== undefined && { name }),
          ...(password !== undefined && { password }),
        },
      }),
    )
    if (terminal.isJson) terminal.printJson(created)
    else terminal.print(created.link)
    if (given.is('qr')) terminal.note(drawQr(created.link))
  },
}
