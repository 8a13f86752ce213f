export interface Notice {
  /** A notice shown again under its id replaces the one on screen. */
  id?: string
  message: string
  color: 'green' | 'red' | 'ice'
  /** Takes back what the notice tells of. */
  undo?: { label: string; run: () => void }
  /** Stays until it is hidden. */
  isSticky?: boolean
}

/** `prepare` loads what draws notices ahead of a time when the server may be away. */
export type NoticeRequest = { show: Notice } | { hide: string } | { prepare: true }

/** Notices travel as events, so that a page that shows none does not load what draws them. */
export const NOTICE_EVENT = 'floe:notice'

export function requestNotice(request: NoticeRequest): void {
  window.dispatchEvent(new CustomEvent(NOTICE_EVENT, { detail: request }))
}

export function notifySuccess(message: string): void {
  requestNotice({ show: { message, color: 'green' } })
}

export function notifyError(message: string): void {
  requestNotice({ show: { message, color: 'red' } })
}
