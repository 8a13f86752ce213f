import type { TokenScope } from '@floe/contracts'

/** What a program asks for (RFC 8628). */
export interface DeviceCode {
  userCode: string
  clientName: string
  scopes: TokenScope[]
  address: string
  createdAt: Date
}

export interface NewDeviceCode extends DeviceCode {
  id: string
  hash: Buffer
  clientId: string
  expiresAt: Date
  intervalSeconds: number
}

export type DevicePoll =
  | { state: 'approved'; userId: string; clientName: string; scopes: TokenScope[] }
  | {
      state:
        'authorization_pending' | 'slow_down' | 'access_denied' | 'expired_token' | 'invalid_grant'
    }

/** Requests of programs, and what was decided about them. They go with who decided. */
export interface DeviceCodeStore {
  insert(code: NewDeviceCode): Promise<void>
  /** `null` unless it can still be decided. */
  findPending(userCode: string, now: Date): Promise<DeviceCode | null>
  /** `false` when somebody has decided before, or it is too late. */
  decide(decision: {
    userCode: string
    userId: string
    isApproved: boolean
    now: Date
  }): Promise<boolean>
  /** Notes the request; what is approved is gone afterwards, so that it is handed out once. */
  poll(key: { hash: Buffer; clientId: string; now: Date }): Promise<DevicePoll>
  purge(expiredBefore: Date): Promise<void>
}
