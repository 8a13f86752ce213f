import type { Difference } from '@floe/file'

/** One difference in one line, for any name of its file. */
export function describeDifference(difference: Difference): string {
  switch (difference.kind) {
    case 'object_missing':
      return `missing: ${describeObject(difference)}`
    case 'object_size': {
      const { object, storedBytes } = difference
      const wanted = `${object.isExact ? '' : 'at least '}${object.sizeBytes}`
      return `size: ${describeObject(difference)} has ${storedBytes} bytes, not ${wanted}`
    }
    case 'object_altered':
      return `altered: ${describeObject(difference)} does not contain the bytes that were received`
    case 'object_unknown':
      return `unknown: object ${difference.key} of ${difference.sizeBytes} bytes belongs to nothing`
    case 'share_gone':
      return `share gone: ${difference.objectCount} objects are left of share ${difference.shareUid}`
    case 'miscounted': {
      const { counter, id, countedBytes, actualBytes } = difference
      const whose = id === null ? 'this instance' : `${counter} ${id}`
      return `miscounted: ${whose} counts ${countedBytes} bytes, not ${actualBytes}`
    }
    case 'files_gone':
      return `files gone: share ${quote(difference.shareId)} (${difference.shareUid}) has no file`
  }
}

function describeObject({ object }: Extract<Difference, { object: unknown }>): string {
  const { key, owner, name, fileId, shareUid } = object
  const share = shareUid === null ? '' : ` of share ${shareUid}`
  return `object ${key}, ${owner} ${quote(name)} (${fileId})${share}`
}

/** Beyond what JSON escapes: what ends a line or reverses it on a terminal. */
function quote(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
