/**
 * Resolves in a background task, after frames and input: beginning a request takes a few
 * milliseconds of the page's thread, and thousands of small files begin thousands of requests.
 * A hidden page does not wait, because browsers slow its background tasks down. Safari has no such
 * tasks and does not wait either.
 *
 * Source: Prioritized Task Scheduling, `Scheduler.postTask`.
 */
export async function waitForIdle(): Promise<void> {
  if (document.hidden || !('scheduler' in window)) return
  await window.scheduler.postTask(() => undefined, { priority: 'background' })
}
