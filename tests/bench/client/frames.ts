import type { Page } from 'playwright-core'

/** How a page moved, from the times of the frames that its own thread produced. */
export interface Smoothness {
  /** Frames in the poorest second. */
  lowest: number
  longestFrameMs: number
  /** Frames that had a gap where the middle of the window should show a row. */
  blankFrames: number
}

const WINDOW_MS = 1000
/** Windows overlap, so that a slow second cannot hide across two of them. */
const STEP_MS = 100

/** A frame is counted once, however often the browser tells its time. */
export function smoothnessOf(times: readonly number[], blankFrames: number): Smoothness {
  const timesMs = [...new Set(times)]
  const first = timesMs.at(0) ?? 0
  const last = timesMs.at(-1) ?? first
  const rates: number[] = []
  for (let from = first; from + WINDOW_MS <= last; from += STEP_MS) {
    rates.push(timesMs.filter((at) => at >= from && at < from + WINDOW_MS).length)
  }
  if (rates.length === 0) throw new Error('a recording needs more than a second')
  return {
    lowest: Math.min(...rates),
    longestFrameMs: Math.max(...timesMs.slice(1).map((at, index) => at - (timesMs[index] ?? at))),
    blankFrames,
  }
}

// Run in the page.
const START = `window.recording = { times: [], blank: 0, isOn: true };
requestAnimationFrame(function frame(time) {
  const { recording } = window
  if (!recording.isOn) return
  recording.times.push(time)
  const row = document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest('tr, li')
  if (row?.ariaHidden === 'true') recording.blank += 1
  requestAnimationFrame(frame)
})`

export async function watchFrames(page: Page, act: () => Promise<unknown>): Promise<Smoothness> {
  await page.evaluate(START)
  await act()
  const { times, blank } = await page.evaluate<{ times: number[]; blank: number }>(
    `(window.recording.isOn = false, window.recording)`,
  )
  return smoothnessOf(times, blank)
}
