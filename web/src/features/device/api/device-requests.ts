import { type DeviceRequest, deviceRequestSchema } from '@floe/contracts'
import type { HttpClient } from '../../../shared/api/http-client.ts'

const pathOf = (userCode: string) => `/api/oauth/device/${encodeURIComponent(userCode)}`

/** Throws `device_code_not_found`, `validation_failed`. */
export function fetchDeviceRequest(http: HttpClient, userCode: string): Promise<DeviceRequest> {
  return http.request({ method: 'GET', path: pathOf(userCode), response: deviceRequestSchema })
}

/** Throws `device_code_not_found`, `forbidden`, `email_not_verified`. */
export function decideDeviceRequest(
  http: HttpClient,
  userCode: string,
  approve: boolean,
): Promise<void> {
  return http.request({ method: 'POST', path: pathOf(userCode), body: { approve } })
}
