/** What browsers call a picture that never was a file, such as a screenshot. */
const madeUpImageName = /^image\.(\w+)$/

const twoDigits = (value: number) => String(value).padStart(2, '0')

/** Local time, fit for a file's name: `2026-11-20-14-05-09`. */
export function timeStamp(time: Date): string {
  const parts = [
    time.getMonth() + 1,
    time.getDate(),
    time.getHours(),
    time.getMinutes(),
    time.getSeconds(),
  ]
  return [time.getFullYear(), ...parts.map(twoDigits)].join('-')
}

function isMadeUp({ name, type }: File): boolean {
  return type.startsWith('image/') && madeUpImageName.test(name)
}

/** A pasted screenshot under a name of its own, as every one of them would be `image.png`. */
function nameScreenshot(file: File, now: Date): File {
  if (!isMadeUp(file)) return file
  const extension = madeUpImageName.exec(file.name)?.[1] ?? 'png'
  const { type, lastModified } = file
  // Two may be pasted within a second.
  const time = `${timeStamp(now)}-${String(now.getMilliseconds()).padStart(3, '0')}`
  return new File([file], `pasted-image-${time}.${extension}`, { type, lastModified })
}

/** What a paste brings: files, or a text, or nothing of use. */
export function readPaste(
  { files, text }: { files: readonly File[]; text: string },
  now: Date,
): { files: File[] } | { text: string } | null {
  // Spreadsheets and word processors add a picture of the text.
  const isPictureOfText = text.trim() !== '' && files.every(isMadeUp)
  if (files.length > 0 && !isPictureOfText) {
    const timeOf = (index: number) => new Date(now.getTime() + index)
    return { files: files.map((file, index) => nameScreenshot(file, timeOf(index))) }
  }
  return text.trim() === '' ? null : { text }
}
