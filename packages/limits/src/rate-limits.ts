/** How much of one kind may happen for one key within a window that begins with the first. */
export interface RateLimit {
  /** Lower case with hyphens; part of what is stored. */
  name: string
  points: number
  windowSeconds: number
}

export interface LimitState {
  /** More points than the limit allows were spent in this window. */
  isExceeded: boolean
  /** Points spent in this window. */
  spent: number
  /** Points left, 0 once exceeded. */
  remaining: number
  /** Until the window ends; 0 when none is open. */
  resetMs: number
}

/**
 * Counters that every replica shares. Keys are kept hashed: the store holds neither addresses nor
 * accounts. An unreachable store fails the call with upstream_unavailable, and with it the request:
 * never open.
 */
export interface RateLimits {
  /** Spends points in one step and says what follows. */
  spend(limit: RateLimit, key: string, points?: number): Promise<LimitState>
  /** What was spent, without spending. */
  peek(limit: RateLimit, key: string): Promise<LimitState>
  /** Begins anew: the next point opens a new window. */
  forget(limit: RateLimit, key: string): Promise<void>
}
