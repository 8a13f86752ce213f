/**
 * Resolves once frames and input have had their turn: beginning a request takes a few milliseconds
 * of the page's thread, and thousands of small files begin thousands of them. Nobody looks at a
 * hidden page, and browsers let its idle tasks wait. Safari has no such tasks and begins at once.
 *
 * Source: Prioritized Task Scheduling, `Scheduler.postTask`.
 */
export async function calmMoment(): Promise<void> {
  if (document.hidden || !('scheduler' in window)) return
  await window.scheduler.postTask(() => undefined, { priority: 'background' })
}
