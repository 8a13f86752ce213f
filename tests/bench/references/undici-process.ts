/** A proxy in front of TARGET by undici's lowest public call, which hands pieces on as they come. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Pool } from 'undici'

const pool = new Pool(process.env['TARGET'] ?? '')

function forward(req: IncomingMessage, res: ServerResponse): void {
  const hasBody = req.headers['content-length'] !== undefined
  pool.dispatch(
    {
      path: req.url ?? '/',
      method: req.method ?? 'GET',
      headers: withoutConnection(req.headers),
      body: hasBody ? req : null,
    },
    {
      // Tells undici which of its two kinds of handlers this is.
      onRequestStart: () => undefined,
      onResponseStart(controller, statusCode, headers) {
        res.writeHead(statusCode, withoutConnection(headers))
        res.on('drain', () => controller.resume())
        res.on('close', () => {
          if (!res.writableFinished) controller.abort(new Error('the client went away'))
        })
      },
      onResponseData(controller, chunk) {
        if (!res.write(chunk)) controller.pause()
      },
      onResponseEnd: () => void res.end(),
      onResponseError: (_controller, error) => void res.destroy(error),
    },
  )
}

function withoutConnection<H extends Record<string, string | string[] | undefined>>(headers: H): H {
  const rest = { ...headers }
  for (const name of ['connection', 'keep-alive', 'transfer-encoding']) delete rest[name]
  return rest
}

createServer(forward).listen(Number(process.env['PORT']), '127.0.0.1')
