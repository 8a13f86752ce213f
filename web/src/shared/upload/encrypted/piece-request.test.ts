import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { followPiece } from './piece-request.ts'

/** A request that is followed; `port` is the other end of what is told of it. */
function start() {
  const { port1, port2: port } = new MessageChannel()
  const abortion = new AbortController()
  const progress: number[] = []
  const onProgress = (bytes: number) => progress.push(bytes)
  const response = followPiece(port1, { onProgress, signal: abortion.signal })
  return { port, abortion, progress, response }
}

describe('a request of another thread', () => {
  it('is followed until its response', async () => {
    const { port, progress, response } = start()
    port.postMessage({ sentBytes: 1 })
    port.postMessage({ sentBytes: 3 })
    port.postMessage({ response: { status: 204, headers: '', text: '' } })
    expect(await response).toMatchObject({ status: 204 })
    expect(progress).toEqual([1, 3])
  })

  it('fails where no response came', async () => {
    const { port, response } = start()
    port.postMessage({ response: null })
    await expect(response).rejects.toThrow('No response came')
  })

  it('is over once it is aborted, whatever is still told', async () => {
    const { port, abortion, progress } = start()
    const told = new Promise((resolve) => (port.onmessage = resolve))
    port.postMessage({ sentBytes: 1 })
    abortion.abort()
    expect(await told).toMatchObject({ data: 'abort' })
    for (const _ of [1, 2, 3]) await setImmediate()
    expect(progress).toEqual([])
  })
})
