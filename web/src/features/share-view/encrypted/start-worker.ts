import { WORKER_SCOPE } from './addresses.ts'
import { CONTROL } from './messages.ts'

/** Resolves once the worker responds for this page. Fails where the browser does not let it. */
export async function startWorker(): Promise<void> {
  const { serviceWorker } = navigator
  const worker = await import('./worker.ts?worker&url')
  const registration = await serviceWorker.register(worker.default, {
    scope: WORKER_SCOPE,
    updateViaCache: 'none',
  })
  await activated(registration)
  if (serviceWorker.controller !== null) return
  await new Promise<void>((resolve) => {
    serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true })
    registration.active?.postMessage(CONTROL)
  })
}

async function activated({ installing, waiting, active }: ServiceWorkerRegistration) {
  const coming = installing ?? waiting
  if (active !== null || coming === null) return
  await new Promise<void>((resolve, reject) => {
    coming.addEventListener('statechange', () => {
      if (coming.state === 'activated') resolve()
      if (coming.state === 'redundant') reject(new Error('the worker was given up'))
    })
  })
}
