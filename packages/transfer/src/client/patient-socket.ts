import { type OnReadOpts, Socket, type SocketConstructorOpts } from 'node:net'

/**
 * A socket that reads once more after a write has failed. A service that refuses an upload may
 * respond and close while we still send; Node would throw the socket away on the failed write,
 * and with it the response that already lies in the kernel's buffer.
 */
export class PatientSocket extends Socket {
  #isWaiting = false

  constructor(onread: OnReadOpts) {
    // Missing from the type: `net.connect` passes it on to here.
    const options: SocketConstructorOpts & { onread: OnReadOpts } = { onread }
    super(options)
  }

  override destroy(error?: Error): this {
    const isWriteFailure = error && 'syscall' in error && error.syscall === 'write'
    if (!isWriteFailure || this.destroyed) return super.destroy(error)
    if (this.#isWaiting) return this
    this.#isWaiting = true
    // Waits two rounds of the event loop: the first may end without polling for data.
    setImmediate(() => setImmediate(() => super.destroy(error)))
    return this
  }
}
