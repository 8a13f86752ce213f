import { type LogoVariant, MOST_LOGO_BYTES } from '@floe/contracts'
import { z } from 'zod'
import { ApiError } from '../../../shared/api/api-error.ts'
import type { HttpClient } from '../../../shared/api/http-client.ts'

const addresses = {
  light: '/api/configs/admin/logo',
  dark: '/api/configs/admin/logoDark',
} satisfies Record<LogoVariant, string>

/** Returns the version of the new logo. Throws the `logo_…` codes and `pictures_unavailable`. */
export async function setLogo(
  http: HttpClient,
  { variant, file }: { variant: LogoVariant; file: File },
): Promise<string> {
  // A server that refuses by the size alone may hang up before it is heard.
  if (file.size > MOST_LOGO_BYTES) {
    throw new ApiError({ status: 413, code: 'logo_too_big', message: 'The logo is too big' })
  }
  const body = new FormData()
  body.set('file', file)
  const response = z.object({ version: z.string() })
  const path = addresses[variant]
  const { version } = await http.request({ method: 'POST', path, body, response })
  return version
}

export function removeLogo(http: HttpClient, variant: LogoVariant): Promise<void> {
  return http.request({ method: 'DELETE', path: addresses[variant] })
}
