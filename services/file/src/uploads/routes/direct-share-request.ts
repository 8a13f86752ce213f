import {
  directUploadHeadersSchema,
  directUploadSchema,
  type DirectShareTerms,
  type RequestCredentials,
  type SharePort,
} from '@floe/contracts'
import { requestCredentials, validate } from '@floe/http'
import type { Request, Response } from 'express'
import type { SharedFiles } from '../domain/direct-share.ts'

const HEADER_PREFIX = 'x-'
const headerNames = Object.keys(directUploadHeadersSchema.shape)

/** What fields of a form may say of a share: the headers without their `X-`. */
export const termFields: ReadonlySet<string> = new Set(
  headerNames.map((name) => name.slice(HEADER_PREFIX.length)),
)

/** Lets in who may make a share. Fails with forbidden, email_not_verified. */
export async function authorizeDirectShare(
  share: Pick<SharePort, 'authorizeShare'>,
  req: Request,
): Promise<RequestCredentials> {
  const credentials = requestCredentials(req, '')
  await share.authorizeShare({ credentials })
  return credentials
}

/** How a share is to be, as headers say it, or else the fields of a form. */
export function readTerms(
  req: Request,
  fields: Readonly<Record<string, string>> = {},
): DirectShareTerms {
  const given = headerNames.flatMap((name) => {
    const value = readHeader(req, name) ?? fields[name.slice(HEADER_PREFIX.length)]
    return value === undefined ? [] : [[name, value] as const]
  })
  const headers = validate(directUploadHeadersSchema, Object.fromEntries(given))
  return {
    id: headers['x-share-id'],
    expiration: headers['x-expires'],
    name: headers['x-name'],
    description: headers['x-description'],
    recipients: headers['x-recipients'] ?? [],
    security: { password: headers['x-password'], maxViews: headers['x-max-views'] },
  }
}

/** Node reads headers as Latin-1; what clients send is UTF-8. */
function readHeader(req: Request, name: string): string | undefined {
  const value = req.get(name)
  return value === undefined ? undefined : Buffer.from(value, 'latin1').toString()
}

/** The link, or all about it where JSON is asked for. */
export function sendShared(req: Request, res: Response, shared: SharedFiles): void {
  res.status(201).location(shared.url)
  if (prefersJson(req)) res.json(directUploadSchema.parse(shared))
  else res.type('text/plain').send(`${shared.url}\n`)
}

function prefersJson(req: Request): boolean {
  return /\bapplication\/json\b/i.test(req.get('Accept') ?? '')
}

/** Of the body; null when the request does not say. */
export function readBodyLength(req: Request): number | null {
  if (req.get('Transfer-Encoding') !== undefined) return null
  return Number(req.get('Content-Length') ?? 0)
}
