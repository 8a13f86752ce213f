import { createRandom, type Random } from './random.ts'

const letters = 'etaoinshrdlucmfwypvbgkjqxz'

/** Sentences of made-up words, some frequent and many rare: deflate takes half of it off. */
export function makeSentences(bytes: number, seed: number): Buffer {
  const random = createRandom(seed)
  const words = Array.from({ length: Math.min(20_000, bytes) }, () => makeWord(random))
  const parts: string[] = []
  for (let length = 0; length < bytes;) {
    // Squared twice: the first of the words are by far the most frequent.
    const rank = (random.between(0, 999_999) / 1_000_000) ** 4
    const word = words[Math.floor(rank * words.length)] ?? ''
    const part = random.chance(0.08) ? `${word}.\n` : `${word} `
    parts.push(part)
    length += part.length
  }
  return Buffer.from(parts.join('')).subarray(0, bytes)
}

function makeWord(random: Random): string {
  const length = random.between(2, 11)
  return Array.from({ length }, () => letters[random.between(0, 25)]).join('')
}
