/** A request whose body is a piece of a ciphertext, which stays in the thread that made it. */
export interface PieceRequest {
  method: string
  url: string
  headers: Readonly<Record<string, string>>
}

export interface PieceResponse {
  status: number
  /** As `XMLHttpRequest` lists them. */
  headers: string
  text: string
}

export interface FollowOptions {
  /** Bytes of the body that have left. */
  onProgress: (bytes: number) => void
  signal: AbortSignal
}

type PieceEvent = { sentBytes: number } | { response: PieceResponse | null }

/** In the thread: sends it, and tells the page how it goes. */
export function sendPiece(body: Blob, request: PieceRequest, port: MessagePort): void {
  const tell = (event: PieceEvent) => port.postMessage(event)
  const sending = new XMLHttpRequest()
  sending.open(request.method, request.url)
  for (const [name, value] of Object.entries(request.headers)) sending.setRequestHeader(name, value)
  sending.upload.onprogress = ({ loaded }) => tell({ sentBytes: loaded })
  sending.onload = () => {
    const { status, responseText: text } = sending
    tell({ response: { status, headers: sending.getAllResponseHeaders(), text } })
  }
  sending.onerror = () => tell({ response: null })
  port.onmessage = () => sending.abort()
  sending.send(body)
}

/**
 * In the page: follows what `sendPiece` tells.
 *
 * @returns Never, once the signal has aborted it, as with `XMLHttpRequest`; a rejection, where no
 *   response came.
 */
export function followPiece(
  port: MessagePort,
  { onProgress, signal }: FollowOptions,
): Promise<PieceResponse> {
  signal.addEventListener('abort', () => {
    port.postMessage('abort')
    // What is told until that arrives is about a file that may be gone.
    port.close()
  })
  return new Promise((resolve, reject) => {
    port.onmessage = ({ data }: MessageEvent<PieceEvent>) => {
      if ('sentBytes' in data) return onProgress(data.sentBytes)
      port.close()
      if (data.response) resolve(data.response)
      else reject(new Error('No response came'))
    }
  })
}
