import { z } from 'zod'

/** The latest release of the product, as its repository tells. */
export const releaseSchema = z
  .object({
    /** Without a leading `v`. */
    version: z.string(),
    url: z.string(),
  })
  .meta({ id: 'Release' })

export type Release = z.infer<typeof releaseSchema>

/** Is a release (`1.12.0`, or Floe's third of it: `1.12.0+floe.3`) later than another? What is none is not. */
export function isNewer(release: string, than: string): boolean {
  const [ours, theirs] = [parse(than), parse(release)]
  if (!ours || !theirs) return false
  const at = theirs.findIndex((part, index) => part !== ours[index])
  return at !== -1 && (theirs[at] ?? 0) > (ours[at] ?? 0)
}

/** Tags have a minus for the plus. A version of its own kind (`2.0.0-beta.1`) is for those who look for it. */
function parse(release: string): number[] | null {
  const parts = /^v?(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:[+-]floe\.(\d{1,9}))?$/.exec(release)
  return parts && parts.slice(1).map((part: string | undefined) => Number(part ?? 0))
}
