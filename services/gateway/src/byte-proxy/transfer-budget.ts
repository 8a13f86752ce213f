const KIB = 1024
const SMALLEST_SLOT_BYTES = 64 * KIB
const LARGEST_SLOT_BYTES = 1024 * KIB

/** Read buffers of one response: one is read into while the others are written out. */
export const SLOTS_PER_RESPONSE = 3

/**
 * One bound on the memory of all transfers of a process: a transfer alone gets the largest
 * buffers, and they shrink as transfers grow.
 */
export interface TransferBudget {
  enter(): void
  leave(): void
  /** Size of the next read buffer for a response with this much to come (`null`: unknown). */
  slotBytes(remainingBytes: number | null): number
  /** Upload bytes that may wait for the service before its sender is paused. */
  uploadWindowBytes(): number
  takeSlot(bytes: number): Buffer
  giveSlot(slot: Buffer): void
}

export function createTransferBudget(budgetBytes = 24 * 1024 * KIB): TransferBudget {
  const free = new Map<number, Buffer[]>()
  let freeBytes = 0
  let active = 0

  function share(parts: number): number {
    const bytes = budgetBytes / (Math.max(1, active) * parts)
    return Math.min(LARGEST_SLOT_BYTES, Math.max(SMALLEST_SLOT_BYTES, powerOfTwoBelow(bytes)))
  }

  return {
    enter() {
      active++
    },
    leave() {
      active--
    },
    slotBytes(remainingBytes) {
      const wanted = remainingBytes ?? 4 * SMALLEST_SLOT_BYTES
      return Math.min(
        share(SLOTS_PER_RESPONSE),
        Math.max(SMALLEST_SLOT_BYTES, powerOfTwoAbove(wanted)),
      )
    },
    uploadWindowBytes: () => share(1),
    takeSlot(bytes) {
      const slot = free.get(bytes)?.pop()
      if (slot === undefined) return Buffer.allocUnsafeSlow(bytes)
      freeBytes -= bytes
      return slot
    },
    giveSlot(slot) {
      if (freeBytes + slot.length > budgetBytes) return
      freeBytes += slot.length
      const same = free.get(slot.length)
      if (same) same.push(slot)
      else free.set(slot.length, [slot])
    },
  }
}

function powerOfTwoBelow(bytes: number): number {
  return 2 ** Math.floor(Math.log2(bytes))
}

function powerOfTwoAbove(bytes: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, bytes)))
}
