import { Worker } from 'node:worker_threads'

/** The SHA-256 of a file that is still being written, computed beside what writes it. */
export interface FollowingHash {
  /** Everything before this offset is written. */
  follow(end: number): void
  /** As hexadecimal digits, of all that was followed. */
  digest(): Promise<string>
  stop(): Promise<void>
}

export function followHash(path: string): FollowingHash {
  // Its source as text, because a single executable has no file for a thread to begin from.
  const worker = new Worker(`(${hashInThread.toString()})()`, { eval: true, workerData: path })
  const result = new Promise<string>((resolve, reject) => {
    worker.once('message', (digest: string) => resolve(digest))
    worker.once('error', reject)
  })
  // Told by `digest`, which may come later or never.
  result.catch(() => undefined)
  return {
    follow: (end) => worker.postMessage(end, []),
    digest() {
      worker.postMessage('digest', [])
      return result
    },
    async stop() {
      await worker.terminate()
    },
  }
}

/** Uses nothing of this module: it runs by its text. */
function hashInThread(): void {
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads')
  const { openSync, readSync } = process.getBuiltinModule('node:fs')
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256')
  const buffer = Buffer.allocUnsafe(2 ** 20)
  const fd = openSync(workerData as string, 'r')
  let at = 0
  parentPort?.on('message', (message: number | 'digest') => {
    if (message === 'digest') {
      parentPort.postMessage(hash.digest('hex'), [])
      parentPort.close()
      return
    }
    while (at < message) {
      const read = readSync(fd, buffer, 0, Math.min(buffer.length, message - at), at)
      if (read === 0) throw new Error('The file has become shorter.')
      hash.update(buffer.subarray(0, read))
      at += read
    }
  })
}
