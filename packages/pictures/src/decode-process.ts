/**
 * The program that decodes pictures, in a process of its own: what a hostile one makes libvips
 * do does not reach uploads. It ends with its parent.
 */
import { constants, setPriority } from 'node:os'
import { drawThumbnail, openDecoder, type OpenPicture } from './decode.ts'
import { drawIcons } from './draw-icons.ts'
import type { DecodeResponse, DecodeRequest, Results, Task } from './messages.ts'

/** The file and its pixels; one that needs more is given up. */
const MOST_MEMORY_BYTES = 640 * 1024 * 1024
/** A thread of libvips fills some tens of megabytes in this time. */
const MEMORY_WATCH_MS = 20

const tasks: { [T in Task]: (sharp: OpenPicture, picture: Buffer) => Promise<Results[T]> } = {
  thumbnail: drawThumbnail,
  icons: drawIcons,
}

process.once('disconnect', die)

try {
  // Uploads, downloads and the database come first.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  serve(await openDecoder())
  respond({ type: 'ready' })
} catch (error) {
  respond({ type: 'unavailable', reason: messageOf(error) })
}

function serve(sharp: OpenPicture): void {
  let picture = Buffer.alloc(0)
  let receivedBytes = 0
  let task: Task = 'thumbnail'
  process.on('message', (request: DecodeRequest) => {
    if (request.type === 'picture') {
      picture = Buffer.allocUnsafeSlow(request.sizeBytes)
      receivedBytes = 0
      task = request.task
    } else {
      picture.set(request.bytes, receivedBytes)
      receivedBytes += request.bytes.length
    }
    if (receivedBytes < picture.length) return
    const whole = picture
    picture = Buffer.alloc(0)
    void respondWith(tasks[task](sharp, whole))
  })
}

async function respondWith(work: Promise<Results[Task]>): Promise<void> {
  const watch = setInterval(dieOfMemory, MEMORY_WATCH_MS)
  try {
    respond({ type: 'made', result: await work })
  } catch (error) {
    respond({ type: 'refused', reason: messageOf(error) })
  } finally {
    clearInterval(watch)
  }
}

function dieOfMemory(): void {
  if (process.memoryUsage.rss() < MOST_MEMORY_BYTES) return
  respond({ type: 'exhausted', reason: 'it needs too much memory' }, die)
}

function respond(message: DecodeResponse, sent: () => void = () => undefined): void {
  if (process.connected) process.send?.(message, undefined, undefined, sent)
}

/** `process.exit` would wait for the thread that decodes. */
function die(): void {
  process.kill(process.pid, 'SIGKILL')
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
