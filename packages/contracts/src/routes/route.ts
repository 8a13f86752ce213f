import type { z } from 'zod'
import type { RouteScope } from '../api-tokens.ts'
import type { ErrorCode } from '../errors.ts'

export type Method = 'get' | 'head' | 'post' | 'patch' | 'put' | 'delete' | 'options'

/** Who may call: the check itself is the service's; tests and the API description read this. */
export type Access =
  | 'anyone'
  | 'user'
  | 'admin'
  | 'share visitor'
  | 'share owner'
  | 'reverse share owner'
  | 'upload url'
  | 'delete link'

/**
 * One public call: enough to validate it, document it and walk it in a test.
 * `raw` routes handle bytes and headers themselves; no body parser runs before them.
 */
export interface RouteContract {
  method: Method
  /** Express syntax: `/api/shares/:id`. */
  path: string
  tag: string
  summary: string
  access: Access
  /** What a token needs to call it for its owner. */
  scope: RouteScope
  /**
   * Made for tokens: another bearer is refused, where it counts for nothing otherwise. Proxies add one
   * of their own to every request.
   */
  refusesOtherBearers?: true
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  raw?: true
  /** The body is what an HTML form sends (`application/x-www-form-urlencoded`). */
  form?: true | 'or JSON'
  /** The body is a form (`multipart/form-data`) with this file. It is read when it is asked for. */
  file?: { field: string; mostBytes: number }
  /** Status of success, and its JSON schema; `null` is an empty body, 'bytes' is content. */
  status: number
  response: z.ZodType | null | 'bytes' | 'text'
  /** Of a response that is bytes, where it is always the same. */
  mediaType?: string
  /** Of a response that is text: what it is where `Accept` asks for JSON. */
  asJson?: z.ZodType
  /** Status of a success that has no response this time, which may be the same one. */
  emptyStatus?: number
  errors?: readonly ErrorCode[]
}

/** Of a call that takes a session, of an account with what the rules for accounts ask of it. */
export const sessionErrors = ['forbidden', 'second_factor_required'] as const

export function defineRoute<const R extends RouteContract>(route: R): R {
  return route
}
