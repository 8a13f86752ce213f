import type { MailTemplateName } from '@floe/contracts'
import { queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import type { HttpClient } from '../../../shared/api/http-client.ts'

export interface MailDraft {
  template: MailTemplateName
  subject: string
  message: string
}

/** The message as its recipients would see it. */
export function mailPreviewQuery(http: HttpClient, draft: MailDraft) {
  return queryOptions({
    queryKey: ['mail-preview', draft],
    queryFn: () =>
      http.request({
        method: 'POST',
        path: '/api/configs/admin/previewEmail',
        body: draft,
        response: z.object({ subject: z.string(), html: z.string() }),
      }),
    gcTime: 0,
  })
}
