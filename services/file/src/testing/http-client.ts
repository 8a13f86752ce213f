import { request } from 'node:http'
import { connect, type Socket } from 'node:net'

export interface ReceivedResponse {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  /** The code in the body, or in the header where a body has none. */
  code: string | undefined
}

export interface Call {
  headers?: Record<string, string>
  /** A list is sent piece by piece with chunked transfer encoding. */
  body?: Buffer | readonly Buffer[]
}

/** One request on a connection of its own, sent exactly as written. */
export function send(
  port: number,
  method: string,
  path: string,
  { headers = {}, body }: Call = {},
): Promise<ReceivedResponse> {
  return new Promise((resolve, reject) => {
    const req = request({ host: '127.0.0.1', port, method, path, agent: false, headers }, (res) => {
      const chunks: Buffer[] = []
      res.on('data', (chunk: Buffer) => chunks.push(chunk))
      res.on('error', reject)
      res.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const code = /"code":"(\w+)"/.exec(text)?.[1] ?? res.headers['x-error-code']?.toString()
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text, code })
      })
    })
    req.on('error', reject)
    if (body === undefined) req.end()
    else if (Buffer.isBuffer(body)) {
      req.setHeader('content-length', body.length)
      req.end(body)
    } else {
      req.setHeader('transfer-encoding', 'chunked')
      for (const piece of body) req.write(piece)
      req.end()
    }
  })
}

export interface HalfRequest {
  socket: Socket
  /** Everything the server said, once it has hung up or said something that ends so. */
  response: Promise<string>
}

/** Sends the head and the given beginning of a body, then nothing: a connection that stalls. */
export function sendHalf(
  port: number,
  method: string,
  path: string,
  { headers, body }: { headers: Record<string, string>; body: Buffer },
): Promise<HalfRequest> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      const lines = Object.entries({ Host: '127.0.0.1', ...headers })
      const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
      socket.write(`${method} ${path} HTTP/1.1\r\n${head}\r\n`)
      socket.write(body, () => resolve({ socket, response }))
    })
    socket.on('error', reject)
    const response = new Promise<string>((done) => {
      let text = ''
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString()
        if (text.includes('\r\n\r\n')) done(text)
      })
      socket.on('close', () => done(text))
    })
  })
}
