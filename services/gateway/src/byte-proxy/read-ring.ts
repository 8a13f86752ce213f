import { SLOTS_PER_RESPONSE, type TransferBudget } from './transfer-budget.ts'

interface Slot {
  buffer: Buffer
  /** Writes still reading from the buffer. */
  pendingWrites: number
}

/**
 * The buffers one response's body is read into. A socket reads into one while the others are being
 * written to the client; when all are in flight, reading stops until the oldest is free again.
 */
export interface ReadRing {
  /** The buffer to read into next. */
  nextBuffer(remainingBytes: number | null): Buffer
  /** Marks a run of the current buffer as being written; call the result once it was. */
  hold(): () => void
  /** False while the buffer to read into next is still being written. */
  readonly isReady: boolean
  /** Returns the buffers to the budget, those in flight as soon as they were written. */
  close(): void
}

export function createReadRing(budget: TransferBudget, onReady: () => void): ReadRing {
  const slots: Slot[] = []
  let current = 0
  let isClosed = false

  function release(slot: Slot): void {
    slot.pendingWrites--
    if (slot.pendingWrites > 0) return
    if (isClosed) budget.giveSlot(slot.buffer)
    else if (slot === slots[current]) onReady()
  }

  return {
    get isReady() {
      const next = slots[nextIndex()]
      return next === undefined || next.pendingWrites === 0
    },
    nextBuffer(remainingBytes) {
      current = nextIndex()
      const slot = slots[current]
      if (slot === undefined) {
        const buffer = budget.takeSlot(budget.slotBytes(remainingBytes))
        slots[current] = { buffer, pendingWrites: 0 }
        return buffer
      }
      const largestBytes = budget.slotBytes(Number.MAX_SAFE_INTEGER)
      if (slot.pendingWrites === 0 && slot.buffer.length > largestBytes) {
        // More transfers share the budget than when this buffer was taken.
        slot.buffer = budget.takeSlot(largestBytes)
      }
      return slot.buffer
    },
    hold() {
      const slot = slots[current] as Slot
      slot.pendingWrites++
      return () => release(slot)
    },
    close() {
      isClosed = true
      for (const { buffer, pendingWrites } of slots) {
        if (pendingWrites === 0) budget.giveSlot(buffer)
      }
    },
  }

  function nextIndex(): number {
    // A buffer nobody writes from any more is read into again while it is warm.
    if (slots[current]?.pendingWrites === 0) return current
    return slots.length === 0 ? 0 : (current + 1) % SLOTS_PER_RESPONSE
  }
}
