import type { MemoryShare, TransferMemory } from './memory/transfer-memory.ts'

/** Read buffers of one stream: one is read into while the others are written out. */
const SLOTS = 3
const leastSlotBytes = 64 * 1024

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
  nextBuffer(): Buffer
  /** Marks a run of the current buffer as being written; call the result once it was. */
  hold(): () => void
  /** False while the buffer to read into next is still being written. */
  readonly isReady: boolean
  /** Returns the buffers, those in flight as soon as they were written. Nothing is read any more. */
  close(): void
  /** Returns all buffers: nothing reads from them any more, and no write is called back. */
  abandon(): void
}

export interface ReadRingOptions {
  memory: Pick<TransferMemory, 'takeBuffer' | 'returnBuffer'>
  share: Pick<MemoryShare, 'batchBytes'>
  /** Of the whole body; a short one gets small buffers. */
  sizeBytes: number
  onReady(): void
  /** Every buffer was returned, after `close`. */
  onEmpty(): void
}

export function createReadRing(options: ReadRingOptions): ReadRing {
  const { memory, share, sizeBytes, onReady, onEmpty } = options
  const slots: Slot[] = []
  const mostSlotBytes = Math.max(leastSlotBytes, 2 ** Math.ceil(Math.log2(sizeBytes)))
  let current = 0
  let isClosed = false

  /** A power of two; all slots together fit into the share. */
  const slotBytes = () => Math.min(mostSlotBytes, share.batchBytes / (SLOTS + 1))

  function nextIndex(): number {
    // A buffer nobody writes from any more is read into again while it is warm.
    if (slots[current]?.pendingWrites === 0) return current
    return slots.length === 0 ? 0 : (current + 1) % SLOTS
  }

  function release(slot: Slot): void {
    slot.pendingWrites--
    if (slot.pendingWrites > 0) return
    if (isClosed) giveBack(slot)
    else if (slot === slots[current]) onReady()
  }

  function giveBack(slot: Slot): void {
    const index = slots.indexOf(slot)
    if (index < 0) return
    slots.splice(index, 1)
    memory.returnBuffer(slot.buffer)
    if (slots.length === 0) onEmpty()
  }

  function close(): void {
    if (isClosed) return
    isClosed = true
    if (slots.length === 0) onEmpty()
    for (const slot of [...slots]) if (slot.pendingWrites === 0) giveBack(slot)
  }

  return {
    get isReady() {
      const next = slots[nextIndex()]
      return next === undefined || next.pendingWrites === 0
    },
    nextBuffer() {
      current = nextIndex()
      const slot = (slots[current] ??= {
        buffer: memory.takeBuffer(slotBytes()),
        pendingWrites: 0,
      })
      if (slot.pendingWrites === 0 && slot.buffer.length > slotBytes()) {
        // More streams share the memory than when this buffer was taken.
        memory.returnBuffer(slot.buffer)
        slot.buffer = memory.takeBuffer(slotBytes())
      }
      return slot.buffer
    },
    hold() {
      const slot = slots[current] as Slot
      slot.pendingWrites++
      return () => release(slot)
    },
    close,
    abandon() {
      close()
      for (const slot of [...slots]) giveBack(slot)
    },
  }
}
