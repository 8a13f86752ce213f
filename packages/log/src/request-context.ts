import { AsyncLocalStorage } from 'node:async_hooks'

/** What the work at hand is done for. */
export interface RequestContext {
  /** Null for work that no request caused, such as a schedule's. */
  requestId: string | null
  /** While a job runs. */
  job?: string
  jobId?: string
}

const storage = new AsyncLocalStorage<RequestContext>()

/**
 * Runs `work` on behalf of a request: all that it awaits or begins is known to belong to it, so
 * that logs, events and calls of other services can name it without a parameter.
 */
export function inRequest<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work)
}

/** Runs `work` on behalf of no request: what it begins outlives the one that happened to be first. */
export function outsideRequests<T>(work: () => T): T {
  return storage.exit(work)
}

export function currentRequest(): Readonly<RequestContext> | undefined {
  return storage.getStore()
}

export function currentRequestId(): string | null {
  return storage.getStore()?.requestId ?? null
}

const sanePattern = /^[A-Za-z0-9._:-]{8,128}$/

/** Can this be taken for a request's id? Anything else could forge entries of a log. */
export function isRequestId(text: string | undefined): text is string {
  return text !== undefined && sanePattern.test(text)
}
