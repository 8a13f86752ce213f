import { expect } from 'vitest'

/** Vitest compares bytes one by one, which takes it seconds for a megabyte. */
expect.addEqualityTesters([
  (one, other) =>
    one instanceof Uint8Array && other instanceof Uint8Array
      ? Buffer.compare(one, other) === 0
      : undefined,
])
