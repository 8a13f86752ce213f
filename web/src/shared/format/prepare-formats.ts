/**
 * The first format of a browser's process takes it as long as drawing a page, and all its threads
 * share what it has learnt: here another thread than the page's learns it, while there is time.
 */
export function prepareFormats(): void {
  const thread = new Worker(new URL('./formats-worker.ts', import.meta.url), { type: 'module' })
  thread.addEventListener('message', () => thread.terminate())
}
