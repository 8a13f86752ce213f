import { previewKindOf } from '@floe/contracts'
import { type FileEntry, fingerprint } from '../upload/file-entry.ts'

/** What is larger is for another program. */
const MAX_EDITABLE_BYTES = 1_000_000

/** Whether this may be a text to edit here, as far as name, type and size tell. */
export function isEditable(file: { name: string; type?: string; sizeBytes: number }): boolean {
  const { name, type = '', sizeBytes } = file
  if (sizeBytes > MAX_EDITABLE_BYTES) return false
  const kind = previewKindOf(name)
  return kind === 'text' || kind === 'markdown' || (kind === null && type.startsWith('text/'))
}

/** A file whose text is edited. */
export interface EditedFile {
  /** Differs from that of the same file with another content. */
  key: string
  /** With its folder. */
  name: string
  load: () => Promise<ArrayBuffer>
}

export function toEditedFile({ key, name, relativePath, file }: FileEntry): EditedFile {
  return { key, name: relativePath ?? name, load: () => file.arrayBuffer() }
}

export interface FileText {
  /** With line ends as fields have them. */
  text: string
  /** What the file holds once this is its text: line ends and byte order mark as before. */
  toContent: (text: string) => string
}

const BYTE_ORDER_MARK = '\uFEFF'

/** The text that a file holds; null for what is no text in UTF-8. */
export function readText(bytes: ArrayBuffer): FileText | null {
  const content = decode(bytes)
  if (content === null || content.includes('\0')) return null
  const mark = content.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : ''
  const isOfWindows = content.includes('\r\n') && !/(^|[^\r])\n/.test(content)
  return {
    text: content.slice(mark.length).replaceAll(/\r\n?/g, '\n'),
    toContent: (text) => mark + (isOfWindows ? text.replaceAll('\n', '\r\n') : text),
  }
}

function decode(bytes: ArrayBuffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

export function toTextFile(name: string, content: string): File {
  return new File([content], name, { type: 'text/plain' })
}

/** A file under the same name, with another content. */
export function withContent(
  { name, relativePath }: Pick<FileEntry, 'name' | 'relativePath'>,
  content: string,
): FileEntry {
  const file = toTextFile(name, content)
  const { size: sizeBytes, lastModified } = file
  const key = fingerprint({ name, relativePath, sizeBytes, lastModified })
  return { key, file, name, relativePath, sizeBytes }
}
