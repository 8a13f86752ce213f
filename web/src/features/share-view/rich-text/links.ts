import type { SharedFile } from '@floe/contracts'

/** The file of the same share that `reference` means in a text called `fileName`. */
export function fileReferredTo(
  files: readonly SharedFile[],
  fileName: string,
  reference: string,
): SharedFile | null {
  const base = new URL(fileName.split('/').map(encodeURIComponent).join('/'), 'share://root/')
  const url = URL.parse(reference, base)
  if (url?.protocol !== base.protocol || url.host !== base.host) return null
  const path = url.pathname.slice(1)
  return files.find(({ name }) => name === decode(path)) ?? null
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    // A lone percent sign: the name as it is written.
    return path
  }
}
