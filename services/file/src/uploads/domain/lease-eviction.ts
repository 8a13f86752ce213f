import type { Presence } from './upload-ports.ts'

/** Notifications between the processes of the service. */
export const leaseChannels = {
  evict: 'floe_upload_evict',
  released: 'floe_upload_released',
  kept: 'floe_upload_kept',
} as const

/** Ends a request for eviction that a holder with a sender may refuse. */
const IF_SILENT = 'if-silent'

/** Asks the process that holds an upload to let go of it. */
export interface EvictionRequest {
  instanceKey: number
  token: number
  uploadId: string
  /** Leaves it to a holder whose sender is heard. */
  isAsking: boolean
}

/** Every process hears it, the sender too; key and token name the one holder that is meant. */
export function requestEviction(
  presence: Presence,
  { instanceKey, token, uploadId, isAsking }: EvictionRequest,
): Promise<void> {
  const holder = `${instanceKey} ${token} ${uploadId}`
  return presence.notify(leaseChannels.evict, isAsking ? `${holder} ${IF_SILENT}` : holder)
}

export function parseEviction(payload: string): EvictionRequest | null {
  const [instanceKey, token, uploadId, condition] = payload.split(' ')
  if (uploadId === undefined) return null
  const isAsking = condition === IF_SILENT
  return { instanceKey: Number(instanceKey), token: Number(token), uploadId, isAsking }
}
