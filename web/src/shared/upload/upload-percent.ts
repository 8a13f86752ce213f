/** How far an upload is; 100 only once the last byte is there. */
export function wholePercent({
  uploadedBytes,
  sizeBytes,
}: {
  uploadedBytes: number
  sizeBytes: number
}): number {
  return sizeBytes === 0 ? 0 : Math.min(100, Math.floor((uploadedBytes / sizeBytes) * 100))
}

/** The last quarter that is complete, in percent. */
export function quarterOf(percent: number): number {
  return Math.floor(percent / 25) * 25
}
