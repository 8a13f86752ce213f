import { type PasskeyOptions, passkeyRoutes } from '@floe/contracts'
import type { HttpClient } from '../../../shared/api/http-client.ts'
import type { Confirmation } from '../confirmation.ts'

const { listPasskeys, beginPasskey, addPasskey, renamePasskey } = passkeyRoutes

/** What the browser is asked. Throws `wrong_password`, `recent_sign_in_required`. */
export function beginPasskeyOf(
  http: HttpClient,
  confirmation: Confirmation,
): Promise<PasskeyOptions> {
  return http.request({
    method: 'POST',
    path: beginPasskey.path,
    body: confirmation,
    response: beginPasskey.response,
  })
}

/** Returns the recovery codes where the account had none. */
export async function savePasskey(
  http: HttpClient,
  passkey: { name: string; passkey: unknown },
): Promise<string[] | null> {
  const added = await http.request({
    method: 'POST',
    path: addPasskey.path,
    body: passkey,
    response: addPasskey.response,
  })
  return added.recoveryCodes
}

export async function renamePasskeyTo(http: HttpClient, id: string, name: string): Promise<void> {
  await http.request({
    method: 'PATCH',
    path: `${listPasskeys.path}/${id}`,
    body: { name },
    response: renamePasskey.response,
  })
}

/** Throws `wrong_password`, `recent_sign_in_required`. */
export async function removePasskeyOf(
  http: HttpClient,
  id: string,
  confirmation: Confirmation,
): Promise<void> {
  await http.request({
    method: 'POST',
    path: `${listPasskeys.path}/${id}/remove`,
    body: confirmation,
  })
}
