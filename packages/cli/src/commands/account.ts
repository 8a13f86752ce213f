import { unwrap } from '@floe/client'
import { formatSize } from '@floe/contracts'
import { type Command, serverOption } from '../command.ts'
import { findOwnServer } from '../server.ts'

export const whoami: Command = {
  usage: 'whoami',
  summary: 'Show the account, the site and the storage that is left',
  options: serverOption,
  async run({ given, store, terminal, env }) {
    const server = await findOwnServer(store, { named: given.text('server'), env })
    const [user, storage] = await Promise.all([
      unwrap(server.api.GET('/api/users/me')),
      unwrap(server.api.GET('/api/users/me/storage')),
    ])
    const { username, email } = user
    if (terminal.isJson) {
      terminal.printJson({ server: server.address, username, email, storage })
      return
    }
    terminal.print(`${username} at ${server.address}`)
    const { usedBytes, leftBytes } = storage
    const left = leftBytes === null ? 'no limit' : `${formatSize(leftBytes, 'en')} left`
    terminal.note(`${formatSize(usedBytes, 'en')} used, ${left}`)
  },
}
