import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { startSmtpCatcher } from './smtp-catcher.ts'

test('keeps a message whose sender was gone right after its last byte', async () => {
  const catcher = await startSmtpCatcher()
  try {
    const socket = connect(catcher.port, catcher.host)
    const replies = createInterface(socket)[Symbol.asyncIterator]()
    await replies.next()
    for (const line of ['HELO there', 'MAIL FROM:<a@floe.test>', 'RCPT TO:<b@floe.test>', 'DATA']) {
      socket.write(`${line}\r\n`)
      await replies.next()
    }
    const body = '..dark{color:#fff}\r\n'.repeat(40)
    socket.end(`Subject: Hello\r\n\r\n${body}.\r\n`)
    await once(socket, 'finish')
    socket.destroy()
    const [message] = await catcher.waitForMessages(1, { to: 'b@floe.test', timeoutMs: 5_000 })
    expect(message?.subject).toBe('Hello')
  } finally {
    await catcher.stop()
  }
})
