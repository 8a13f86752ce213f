import {
  DefaultHttpStack,
  type HttpRequest,
  type HttpResponse,
  type HttpStack,
} from 'tus-js-client'
import type { PieceResponse } from './piece-request.ts'
import type { SealedFile } from './sealed-file.ts'

/** How tus-js-client sends requests of a file whose pieces are in another thread. */
export function createPieceStack(file: SealedFile): HttpStack {
  const bodiless = new DefaultHttpStack({})
  return {
    getName: () => 'pieces of a ciphertext',
    createRequest(method, url): HttpRequest {
      const headers: Record<string, string> = {}
      const abortion = new AbortController()
      let plain: HttpRequest | null = null
      let onProgress = (_bytes: number) => {}

      function sendBodiless(): Promise<HttpResponse> {
        plain = bodiless.createRequest(method, url)
        for (const [name, value] of Object.entries(headers)) plain.setHeader(name, value)
        return plain.send(null)
      }

      return {
        getMethod: () => method,
        getURL: () => url,
        setHeader: (name, value) => void (headers[name] = value),
        getHeader: (name) => headers[name],
        setProgressHandler: (handler) => void (onProgress = handler),
        async send(piece: unknown) {
          if (!piece) return sendBodiless()
          const options = {
            onProgress: (bytes: number) => onProgress(bytes),
            signal: abortion.signal,
          }
          return toResponse(await file.send({ method, url, headers }, options))
        },
        async abort() {
          abortion.abort()
          await plain?.abort()
        },
        getUnderlyingObject: () => plain?.getUnderlyingObject() ?? null,
      }
    },
  }
}

function toResponse({ status, headers, text }: PieceResponse): HttpResponse {
  const named = new Headers()
  for (const [, name = '', value = ''] of headers.matchAll(/^([^:\r\n]+): ?(.*)\r$/gm))
    named.append(name, value)
  return {
    getStatus: () => status,
    getHeader: (name) => named.get(name) ?? undefined,
    getBody: () => text,
    getUnderlyingObject: () => null,
  }
}
