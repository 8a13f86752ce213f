import { directUploadRoutes, fileNameSchema, type SharePort } from '@floe/contracts'
import { AppError } from '@floe/errors'
import { implement, type ImplementedRoute, requestLanguage, validate } from '@floe/http'
import { z } from 'zod'
import { type DirectShareDependencies, receiveFile, shareFiles } from '../domain/direct-share.ts'
import { authorizeDirectShare, readTerms, sendShared, termFields } from './direct-share-request.ts'
import { type FormPart, readFormParts } from './form-parts.ts'

export interface FormUploadDependencies extends DirectShareDependencies {
  share: DirectShareDependencies['share'] & Pick<SharePort, 'authorizeShare'>
}

const partSchema = z.object({ filename: fileNameSchema })

/** One form that is one share of its files: ShareX, `curl -F`, HTML. */
export function createFormUploadRoute(deps: FormUploadDependencies): ImplementedRoute {
  return implement(
    directUploadRoutes.postForm,
    async ({ req }) => {
      const credentials = await authorizeDirectShare(deps.share, req)
      if (!req.is('multipart/form-data')) throw new AppError('unsupported_media_type')
      return credentials
    },
    async ({ req, res }, credentials) => {
      const parts = readFormParts(req)
      try {
        const { fields, file } = await readFields(parts)
        const terms = readTerms(req, fields)
        const request = { terms, credentials, language: requestLanguage(req) }
        const shared = await shareFiles(deps, request, async (begun) => {
          for (let next: FilePart | null = file; next; next = await nextFile(parts)) {
            const { filename: name } = validate(partSchema, next)
            await receiveFile(deps, begun, { name, lengthBytes: null, body: next.body })
          }
        })
        sendShared(req, res, shared)
      } finally {
        await parts.return()
      }
    },
  )
}

type FilePart = Extract<FormPart, { kind: 'file' }>

/**
 * What is said ahead of the files, and the first of them: a share cannot wait for its terms. Fails
 * with validation_failed.
 */
async function readFields(parts: AsyncGenerator<FormPart, void, undefined>) {
  const fields: Record<string, string> = {}
  for (;;) {
    const { done, value: part } = await parts.next()
    if (done) throw new AppError('validation_failed', { issues: ['file: is required'] })
    if (part.kind === 'file') return { fields, file: part }
    if (termFields.has(part.name)) fields[part.name] = part.value
  }
}

async function nextFile(
  parts: AsyncGenerator<FormPart, void, undefined>,
): Promise<FilePart | null> {
  for (;;) {
    const { done, value: part } = await parts.next()
    if (done) return null
    if (part.kind === 'file') return part
    // It was meant to count, and the share is begun without it.
    if (termFields.has(part.name)) {
      throw new AppError('validation_failed', {
        issues: [`${part.name}: must come ahead of files`],
      })
    }
  }
}
