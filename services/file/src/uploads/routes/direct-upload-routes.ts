import { directUploadRoutes, type RequestCredentials, type SharePort } from '@floe/contracts'
import { implement, type ImplementedRoute, requestLanguage } from '@floe/http'
import type { Request, Response } from 'express'
import { requireSpace } from '../../quotas/domain/quotas.ts'
import { type DirectShareDependencies, receiveFile, shareFiles } from '../domain/direct-share.ts'
import {
  authorizeDirectShare,
  readBodyLength,
  readTerms,
  sendShared,
} from './direct-share-request.ts'
import { requirePlainBody } from './require-plain-body.ts'
import { asksToBeResumable, type ResumableUploads } from './resumable/resumable-uploads.ts'

export interface DirectUploadDependencies extends DirectShareDependencies {
  share: DirectShareDependencies['share'] & Pick<SharePort, 'authorizeShare'>
  resumable: Pick<ResumableUploads, 'create'>
}

interface Call {
  req: Request
  res: Response
  params: { name: string }
}

/** One request that is one share of one file: `curl -T`. */
export function createDirectUploadRoutes(deps: DirectUploadDependencies): ImplementedRoute[] {
  const authorize = async ({ req }: Pick<Call, 'req'>) => {
    const credentials = await authorizeDirectShare(deps.share, req)
    requirePlainBody(req)
    return credentials
  }
  const receive = async (call: Call, credentials: RequestCredentials) => {
    const { req, res, params } = call
    const { name } = params
    const request = { terms: readTerms(req), credentials, language: requestLanguage(req) }
    if (asksToBeResumable(req)) return deps.resumable.create({ req, res, name, request })
    const shared = await shareFiles(deps, request, async (begun) => {
      const lengthBytes = readBodyLength(req)
      requireSpace(begun.limits, lengthBytes)
      await receiveFile(deps, begun, { name, lengthBytes, body: req })
    })
    sendShared(req, res, shared)
  }
  return [
    implement(directUploadRoutes.putFile, authorize, receive),
    implement(directUploadRoutes.postFile, authorize, receive),
  ]
}
