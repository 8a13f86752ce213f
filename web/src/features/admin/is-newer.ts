/** Is a version (`1.12.0`) later than another? What is no such version is not. */
export function isNewer(version: string, than: string): boolean {
  const [ours, theirs] = [parse(than), parse(version)]
  if (!ours || !theirs) return false
  const at = theirs.findIndex((part, index) => part !== ours[index])
  return at !== -1 && (theirs[at] ?? 0) > (ours[at] ?? 0)
}

/** A version of its own kind (`2.0.0-beta.1`) is for those who look for it. */
function parse(version: string): number[] | null {
  return /^\d{1,9}\.\d{1,9}\.\d{1,9}$/.test(version) ? version.split('.').map(Number) : null
}
