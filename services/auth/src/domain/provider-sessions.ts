import type { SessionOrigin } from './user.ts'

/** A session at an OpenID provider that one here began with. */
export interface ProviderSession {
  issuer: string
  subject: string
  sid: string | null
  sealedIdToken: Buffer
}

export interface ProviderSessionStore {
  /** What the session of this id began with. */
  findProviderSession(sessionId: string): Promise<ProviderSession | null>
  /**
   * Ends those that began with what a provider names: by `sid`, or by `subject` where either side
   * has no `sid`. Later ones than `startedBefore` are none of them.
   */
  endProviderSessions(ended: {
    issuer: string
    subject: string | null
    sid: string | null
    startedBefore: Date
    now: Date
    origin: SessionOrigin
  }): Promise<void>
}
