import { shareTargetPath } from './path.ts'

async function register(): Promise<void> {
  const worker = await import('./worker.ts?worker&url')
  await navigator.serviceWorker.register(worker.default, {
    scope: shareTargetPath,
    updateViaCache: 'none',
  })
}

/**
 * Lets the installed site take what people share with it. The scope is that one address, so the
 * worker never sees another request; a new version takes over as soon as no share is under way.
 */
export function registerShareTarget(): void {
  if (!window.isSecureContext || !('serviceWorker' in navigator)) return
  // Some browsers refuse workers, in private windows say: sharing into the site is all that lacks.
  register().catch(() => undefined)
}
