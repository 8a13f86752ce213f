import { type IncomingHttpHeaders, request } from 'node:http'

export interface HttpResponse {
  status: number
  /** Parsed JSON; the empty string for an empty body. */
  body: unknown
  /** `Set-Cookie` lines. */
  setCookies: string[]
  headers: IncomingHttpHeaders
}

export interface Call {
  /** Sent as JSON; a string is sent as it is. */
  body?: unknown
  headers?: Record<string, string>
}

/** An HTTP client with a cookie jar that sends paths exactly as written. */
export interface Browser {
  cookies: Map<string, string>
  send(method: string, path: string, call?: Call): Promise<HttpResponse>
}

export function openBrowser(port: number, cookies: Record<string, string> = {}): Browser {
  const jar = new Map(Object.entries(cookies))
  return {
    cookies: jar,
    send: async (method, path, call = {}) => {
      const response = await sendOnce({ port, method, path, cookies: jar, ...call })
      for (const line of response.setCookies) storeCookie(jar, line)
      return response
    },
  }
}

function storeCookie(jar: Map<string, string>, line: string): void {
  const [pair = ''] = line.split(';')
  const name = pair.slice(0, pair.indexOf('='))
  if (line.includes('Expires=Thu, 01 Jan 1970')) jar.delete(name)
  else jar.set(name, pair.slice(name.length + 1))
}

interface RawCall extends Call {
  port: number
  method: string
  path: string
  cookies: ReadonlyMap<string, string>
}

function sendOnce({ port, method, path, cookies, body, headers }: RawCall): Promise<HttpResponse> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const req = request({ host: '127.0.0.1', port, method, path, agent: false }, (res) => {
      const chunks: Buffer[] = []
      res.on('data', (chunk: Buffer) => chunks.push(chunk))
      res.on('error', reject)
      res.on('end', () => {
        const received = Buffer.concat(chunks).toString()
        resolve({
          status: res.statusCode ?? 0,
          body: received === '' ? '' : JSON.parse(received),
          setCookies: res.headers['set-cookie'] ?? [],
          headers: res.headers,
        })
      })
    })
    req.on('error', reject)
    if (cookies.size > 0) {
      req.setHeader('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    }
    if (text !== undefined) req.setHeader('content-type', 'application/json')
    for (const [name, value] of Object.entries(headers ?? {})) req.setHeader(name, value)
    req.end(text)
  })
}
