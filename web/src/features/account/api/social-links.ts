import { type SocialLink, socialLinkSchema, socialProviders } from '@floe/contracts'
import { z } from 'zod'
import type { HttpClient } from '../../../shared/api/http-client.ts'

const responseSchema = z.partialRecord(z.enum(socialProviders), socialLinkSchema)

/** Own linked accounts. */
export async function fetchSocialLinks(http: HttpClient): Promise<SocialLink[]> {
  const links = await http.request({
    method: 'GET',
    path: '/api/oauth/status',
    response: responseSchema,
  })
  return Object.values(links)
}
