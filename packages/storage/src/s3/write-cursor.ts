import { crc32 } from 'node:zlib'
import { combineCrc32, type Position } from '@floe/storage'

import { type PartPlace, type PartPlan, placeOf } from './part-plan.ts'

export interface CursorStart {
  plan: PartPlan
  position: number
  /** CRC-32 up to the beginning of the part, and from there to the position. */
  beforeCrc32: number
  partCrc32: number
  /** Nothing can follow: the last, short part was sent, or the object is finished. */
  isEnded: boolean
}

/** Where a writer is in its object, and the CRC-32 of all bytes up to there. */
export class WriteCursor {
  readonly #plan: PartPlan
  #beforeCrc32: number
  position: number
  part: PartPlace
  /** Of the bytes of this part up to the position. */
  partCrc32: number
  isEnded: boolean

  constructor({ plan, position, beforeCrc32, partCrc32, isEnded }: CursorStart) {
    this.#plan = plan
    this.#beforeCrc32 = beforeCrc32
    this.position = position
    this.part = placeOf(plan, position)
    this.partCrc32 = partCrc32
    this.isEnded = isEnded
  }

  /** Bytes of this part up to the position. */
  get partBytes(): number {
    return this.isEnded ? 0 : this.position - this.part.start
  }

  get crc32(): number {
    return combineCrc32(this.#beforeCrc32, this.partCrc32, this.partBytes)
  }

  get prefix(): Position {
    return { offsetBytes: this.position, crc32: this.crc32 }
  }

  /** All bytes that were sent in parts. */
  get sentPrefix(): Position {
    return { offsetBytes: this.position - this.partBytes, crc32: this.#beforeCrc32 }
  }

  advance(bytes: Uint8Array): void {
    this.partCrc32 = crc32(bytes, this.partCrc32)
    this.position += bytes.length
  }

  /** The bytes up to the position were sent. Only the last part may be short. */
  endPart(): void {
    this.#beforeCrc32 = this.crc32
    this.partCrc32 = 0
    this.isEnded = this.position < this.part.end
    this.part = placeOf(this.#plan, this.position)
  }
}
