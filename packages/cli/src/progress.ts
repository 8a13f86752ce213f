import { formatSize } from '@floe/contracts'
import type { Terminal } from './terminal.ts'

const BETWEEN_LINES_MS = 200
/** Speeds are those of so long. */
const WINDOW_MS = 5000

export interface Progress {
  /** So many bytes are done; negative for those that have to be sent again. */
  add(bytes: number): void
  /** Done before this run. */
  skip(bytes: number): void
  setTotal(bytes: number): void
  end(): void
}

/** One line that says how far it is, how fast, and how long it takes. */
export function createProgress(
  terminal: Terminal,
  { verb, totalBytes, now = Date.now }: { verb: string; totalBytes: number; now?: () => number },
): Progress {
  let doneBytes = 0
  let total = totalBytes
  let shownAt = 0
  let marks: { at: number; bytes: number }[] = [{ at: now(), bytes: 0 }]

  function show(): void {
    const at = now()
    if (!terminal.isWatched || at - shownAt < BETWEEN_LINES_MS) return
    shownAt = at
    marks = [...marks.filter((mark) => at - mark.at < WINDOW_MS), { at, bytes: doneBytes }]
    terminal.showProgress(`${verb} ${describe({ doneBytes, total, speed: speedOf(marks) })}`)
  }

  return {
    add(bytes) {
      doneBytes += bytes
      show()
    },
    skip(bytes) {
      doneBytes += bytes
      for (const mark of marks) mark.bytes += bytes
      show()
    },
    setTotal(bytes) {
      total = bytes
    },
    end: () => terminal.clearProgress(),
  }
}

function speedOf(marks: readonly { at: number; bytes: number }[]): number {
  const [first, last] = [marks[0], marks.at(-1)]
  if (!first || !last || last.at === first.at) return 0
  return Math.max(0, ((last.bytes - first.bytes) * 1000) / (last.at - first.at))
}

function describe({
  doneBytes,
  total,
  speed,
}: {
  doneBytes: number
  total: number
  speed: number
}) {
  const size = (bytes: number) => formatSize(bytes, 'en').replace('\u00a0', ' ')
  const rate = speed > 0 ? `, ${size(speed)}/s` : ''
  if (total === 0) return `${size(doneBytes)}${rate}`
  const percent = Math.min(100, Math.floor((100 * doneBytes) / total))
  const left = speed > 0 ? `, ${formatSeconds((total - doneBytes) / speed)} left` : ''
  return `${percent} % of ${size(total)}${rate}${left}`
}

export function formatSeconds(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds))
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`
}
