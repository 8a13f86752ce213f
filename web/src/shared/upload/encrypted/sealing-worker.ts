import type { SealRequest } from './sealing.ts'
import { createSealer, type Sealer, type SealOrder } from './sealer.ts'

async function respond(sealer: Sealer, request: SealRequest, port: MessagePort): Promise<void> {
  if (request.kind === 'block')
    port.postMessage(await sealer.block(request.offset, request.mostBytes))
  else if (request.kind === 'readOn') port.postMessage(await sealer.readOn(request.toBytes))
  else port.postMessage(await sealer.finish())
}

/** Each file has a port of its own, on which one request follows another. */
addEventListener('message', ({ data, ports: [port] }: MessageEvent<SealOrder>) => {
  if (port === undefined) return
  const sealer = createSealer(data)
  port.onmessage = ({ data: request }: MessageEvent<SealRequest>) => {
    sealer
      .then((ready) => respond(ready, request, port))
      // The file cannot be read: nothing else fails here.
      .catch(() => port.postMessage(null))
  }
})
