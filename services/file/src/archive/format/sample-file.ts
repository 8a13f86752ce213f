import { readFully } from '@floe/archive'
import type { ByteSource } from '@floe/transfer'
import type { Deflater } from './deflater.ts'

const mostSamples = 16
const leastSampleBytes = 4 * 1024
const mostSampleBytes = 64 * 1024
const bytesPerSample = 1024 * 1024
/** No more than this part of a file is looked at. */
const sampledPart = 1 / 16

/**
 * A quick look from one end to the other: whether deflating the file promises to be worth it. What
 * is compressed already (most of what people send is) is found out at a thousandth of the cost.
 * A small file may as well be deflated.
 */
export async function looksCompressible(
  source: ByteSource,
  { sizeBytes, level, deflater }: { sizeBytes: number; level: number; deflater: Deflater },
): Promise<boolean> {
  const count = Math.min(mostSamples, Math.max(1, Math.floor(sizeBytes / bytesPerSample)))
  const sampleBytes = Math.min(mostSampleBytes, Math.floor((sizeBytes * sampledPart) / count))
  if (sampleBytes < leastSampleBytes) return true
  const samples: Buffer[] = []
  for (let index = 0; index < count; index += 1) {
    // Each in the middle of its part: heads and tails are seldom like the rest.
    const middle = ((index + 0.5) * sizeBytes) / count
    const sample = Buffer.alloc(sampleBytes)
    await readFully(source, sample, Math.floor(middle - sampleBytes / 2))
    samples.push(sample)
  }
  return deflater.shrinks(samples, { level })
}
