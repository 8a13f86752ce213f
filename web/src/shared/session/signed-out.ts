const KEY = 'floe-signed-out'

/** Somebody who signs out in this tab wants to stay out: no provider is asked again by itself. */
export function rememberSignOut(): void {
  window.sessionStorage.setItem(KEY, '1')
}

export function hasSignedOut(): boolean {
  return window.sessionStorage.getItem(KEY) !== null
}
