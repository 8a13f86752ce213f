import { extensionOf, previewKindOf } from '@floe/contracts'
import { lookup } from 'mime-types'

/**
 * What a file may be called towards a browser. The extension decides, never the bytes and never
 * what the uploader claimed. What is neither previewable nor listed here is sent as plain bytes:
 * with `nosniff` it can neither run nor render.
 */

export interface ContentType {
  /** Sent with an attachment. */
  type: string
  /** Sent when the file is shown in the browser; null if it must not be. */
  inlineType: string | null
  /** Which security policy fits the browser's viewer. */
  viewer: 'sandboxed' | 'media' | 'pdf'
}

const binary = 'application/octet-stream'
const plainText = 'text/plain; charset=utf-8'

/** Registered names that browsers show or play, where the table of types has older ones. */
const preferredTypes: Record<string, string> = {
  flac: 'audio/flac',
  jfif: 'image/jpeg',
  m4v: 'video/mp4',
  tgz: 'application/gzip',
  vcf: 'text/vcard; charset=utf-8',
}

/** Pictures and media that some browsers show, and the page offers no preview for. */
const shownByOthers = {
  image: ['heic', 'heif', 'jxl', 'tif', 'tiff'],
  media: ['3gp', 'aif', 'aiff', 'avi', 'mid', 'midi', 'mpeg', 'mpg', 'wma', 'wmv'],
}

/** Told by their types where they are saved, but shown as plain text. */
const typedTexts = ['csv', 'ics', 'json', 'markdown', 'md', 'vcf']

/** Could act as a document of ours if a header were lost on the way, so the type says nothing. */
const activeTexts = [
  ...['cjs', 'css', 'htm', 'html', 'js', 'mjs', 'shtml', 'svg', 'xht', 'xhtml', 'xml', 'xsl'],
  ...['xslt'],
]

const attachments = [
  ...['7z', 'doc', 'docx', 'epub', 'gz', 'odp', 'ods', 'odt', 'ppt', 'pptx', 'rar', 'rtf', 'tar'],
  ...['tgz', 'woff', 'woff2', 'xls', 'xlsx', 'zip'],
]

export function safeContentType(filename: string): ContentType {
  const extension = extensionOf(filename) ?? ''
  const kind = previewKindOf(filename)
  if (kind === 'image' || shownByOthers.image.includes(extension)) {
    return shownAsItIs(extension, 'sandboxed')
  }
  if (kind === 'video' || kind === 'audio' || shownByOthers.media.includes(extension)) {
    return shownAsItIs(extension, 'media')
  }
  if (kind === 'pdf') return shownAsItIs(extension, 'pdf')
  if (kind !== null) {
    return { type: textType(extension), inlineType: plainText, viewer: 'sandboxed' }
  }
  const type = attachments.includes(extension) ? typeOf(extension) : binary
  return { type, inlineType: null, viewer: 'sandboxed' }
}

function shownAsItIs(extension: string, viewer: ContentType['viewer']): ContentType {
  const type = typeOf(extension)
  return { type, inlineType: type, viewer }
}

function textType(extension: string): string {
  if (activeTexts.includes(extension)) return binary
  return typedTexts.includes(extension) ? withCharset(typeOf(extension)) : plainText
}

function withCharset(type: string): string {
  return type.startsWith('text/') && !type.includes(';') ? `${type}; charset=utf-8` : type
}

function typeOf(extension: string): string {
  return preferredTypes[extension] ?? (lookup(extension) || binary)
}
