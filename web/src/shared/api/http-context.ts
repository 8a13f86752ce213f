import { createContext, use } from 'react'
import type { HttpClient } from './http-client.ts'

export const HttpContext = createContext<HttpClient | null>(null)

export function useHttp(): HttpClient {
  const http = use(HttpContext)
  if (!http) throw new Error('HttpContext is missing')
  return http
}
