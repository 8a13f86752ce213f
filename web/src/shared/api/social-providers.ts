import { type SocialProvider, socialProviders } from '@floe/contracts'
import { z } from 'zod'
import type { HttpClient } from './http-client.ts'

/** The providers people can sign in with, in the order they are shown. */
export function fetchSocialProviders(http: HttpClient): Promise<SocialProvider[]> {
  return http.request({
    method: 'GET',
    path: '/api/oauth/available',
    response: z.array(z.enum(socialProviders)),
  })
}
