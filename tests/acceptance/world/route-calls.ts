import { randomUUID } from 'node:crypto'
import {
  BATCH_TYPE,
  DEVICE_CODE_GRANT,
  encodeManifest,
  type RouteName,
  routes,
} from '@floe/contracts'
import { newAccount } from './accounts.ts'
import type { HttpResponse, Client } from './http-client.ts'
import { forgedNewPasskey, forgedPasskey } from './passkeys.ts'
import { reverseShareInput } from './reverse-shares.ts'
import { newShareId } from './shares.ts'
import { encodeMetadata, offsetStream } from './tus.ts'

/** What a request names: a share, one of its files, an upload, an account, its session … */
export interface Target {
  reverseShareId: string
  userId: string
  sessionId: string
  shareId: string
  fileId: string
  uploadId: string
}

/** What makes a request good enough to get past validation. */
interface CallShape {
  json?: (target: Target) => unknown
  bytes?: string
  headers?: (target: Target) => Record<string, string>
  query?: string
}

export const tus = { 'Tus-Resumable': '1.0.0' }

/** A short one, whose bytes are the same in ASCII and UTF-8. */
function oneFileBatch(text: string): string {
  const head = encodeManifest([{ id: randomUUID(), name: 'theirs.txt', sizeBytes: text.length }])
  return Buffer.from(head).toString('ascii') + text
}

const FORM_BOUNDARY = 'between'

function oneFileForm(text: string): string {
  const head = 'Content-Disposition: form-data; name="file"; filename="theirs.txt"'
  return `--${FORM_BOUNDARY}\r\n${head}\r\n\r\n${text}\r\n--${FORM_BOUNDARY}--\r\n`
}

const shapes: Partial<Record<RouteName, CallShape>> = {
  openShare: { json: () => ({ password: 'open sesame' }) },
  openShareByForm: {
    bytes: 'password=open+sesame',
    headers: () => ({ 'Content-Type': 'application/x-www-form-urlencoded' }),
  },
  putFile: { bytes: 'theirs' },
  postFile: { bytes: 'theirs' },
  authorizeDevice: { json: () => ({ client_id: 'theirs' }) },
  redeemDeviceCode: {
    json: () => ({ grant_type: DEVICE_CODE_GRANT, device_code: 'none', client_id: 'theirs' }),
  },
  receiveLogoutToken: { json: () => ({ logout_token: 'theirs' }) },
  decideDeviceRequest: { json: () => ({ approve: false }) },
  postForm: {
    bytes: oneFileForm('theirs'),
    headers: () => ({ 'Content-Type': `multipart/form-data; boundary=${FORM_BOUNDARY}` }),
  },
  appendResumable: {
    bytes: 'theirs',
    headers: () => ({
      'Content-Type': 'application/partial-upload',
      'Upload-Offset': '0',
      'Upload-Complete': '?1',
    }),
  },
  createToken: { json: () => ({ name: 'theirs', scopes: ['shares:read'] }) },
  // Not to be reached: nothing is sent anywhere.
  createWebhook: { json: () => ({ url: 'http://127.0.0.1:9/', events: ['share.opened'] }) },
  updateWebhook: { json: () => ({ enabled: false }) },
  replayWebhook: { json: () => ({ since: '2026-01-01T00:00:00Z' }) },
  changePassword: { json: () => ({ oldPassword: 'old password', password: 'new password' }) },
  enableTotp: { json: () => ({ password: 'a password' }) },
  verifyTotp: { json: () => ({ password: 'a password', code: '123456' }) },
  disableTotp: { json: () => ({ password: 'a password', code: '123456' }) },
  createRecoveryCodes: { json: () => ({ password: 'a password' }) },
  beginPasskey: { json: () => ({ password: 'a password' }) },
  addPasskey: { json: () => ({ name: 'theirs', passkey: forgedNewPasskey }) },
  renamePasskey: { json: () => ({ name: 'theirs' }) },
  removePasskey: { json: () => ({ password: 'a password' }) },
  signInPasskey: { json: () => ({ passkey: forgedPasskey }) },
  unlinkSocialAccount: { json: () => ({ confirm: true }) },
  updateOwnUser: { json: () => ({ username: newAccount().username }) },
  createShare: { json: () => ({ id: newShareId(), expiration: '1-day', recipients: [] }) },
  createReverseShare: { json: () => reverseShareInput },
  updateReverseShare: { json: () => ({ remainingUses: 5 }) },
  createUser: {
    json: () => newAccount(),
  },
  updateUser: { json: () => ({ isAdmin: true }) },
  sendTestEmail: { json: () => ({ email: 'stranger@floe.test' }) },
  previewEmail: { json: () => ({ template: 'invite', subject: 'Theirs', message: '{url}' }) },
  setLogo: { bytes: 'theirs' },
  setDarkLogo: { bytes: 'theirs' },
  finishSetup: { json: () => ({ changes: [] }) },
  updateConfig: { json: () => [{ key: 'general.appName', value: 'Theirs' }] },
  updateShare: { json: () => ({ name: 'Theirs' }) },
  uploadChunk: {
    bytes: 'theirs',
    query: '?name=theirs.txt&chunkIndex=0&totalChunks=1',
    headers: () => ({ 'Content-Type': 'application/octet-stream' }),
  },
  selectFiles: { json: ({ fileId }) => ({ files: [fileId] }) },
  uploadBatch: {
    bytes: oneFileBatch('theirs'),
    headers: () => ({ 'Content-Type': BATCH_TYPE }),
  },
  createUpload: {
    bytes: 'theirs',
    headers: ({ shareId }) => ({
      ...tus,
      'Upload-Length': '6',
      'Content-Type': offsetStream,
      'Upload-Metadata': encodeMetadata({ shareId, filename: 'theirs.txt' }),
    }),
  },
  inspectUpload: { headers: () => tus },
  appendToUpload: {
    bytes: 'theirs',
    headers: () => ({ ...tus, 'Upload-Offset': '0', 'Content-Type': offsetStream }),
  },
  overrideUploadMethod: { headers: () => ({ ...tus, 'X-HTTP-Method-Override': 'HEAD' }) },
  terminateUpload: { headers: () => tus },
}

/** Calls a route about a target, with whatever the route needs besides. */
export function callRoute(client: Client, name: RouteName, target: Target): Promise<HttpResponse> {
  const { method, path } = routes[name]
  const { json, bytes, query = '', headers } = shapes[name] ?? {}
  const url = path
    .replace('/users/:id', `/users/${target.userId}`)
    .replace('/reverseShares/:id', `/reverseShares/${target.reverseShareId}`)
    .replace(':token', 'no-such-token')
    .replace(':userCode', 'BCDF-GHJK')
    .replace(':name', 'theirs.txt')
    .replace(':secret', 'A'.repeat(24))
    .replace(':sessionId', target.sessionId)
    .replace(':passkeyId', target.sessionId)
    .replace(':provider', 'github')
    .replace(':shareId', target.shareId)
    .replace(':fileId', target.fileId)
    .replace(':uploadId', target.uploadId)
    .replace(':category', 'share')
    .replace(':jobId', '1')
    .replace(':id', target.shareId)
  return client.send(method.toUpperCase(), url + query, {
    ...(json && { json: json(target) }),
    ...(bytes !== undefined && { bytes }),
    headers: headers?.(target) ?? {},
  })
}
