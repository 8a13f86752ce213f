import { extensionOf, previewableExtensions, previewKindOf } from '@floe/contracts'

/**
 * What a file may be called towards a browser. The extension decides, never the bytes and never
 * what the uploader claimed: with `nosniff`, whatever is not listed here cannot run or render.
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

const images = {
  apng: 'image/apng',
  avif: 'image/avif',
  bmp: 'image/bmp',
  gif: 'image/gif',
  heic: 'image/heic',
  heif: 'image/heif',
  ico: 'image/x-icon',
  jfif: 'image/jpeg',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  jxl: 'image/jxl',
  png: 'image/png',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  webp: 'image/webp',
}

const media = {
  '3gp': 'video/3gpp',
  aac: 'audio/aac',
  aif: 'audio/aiff',
  aiff: 'audio/aiff',
  avi: 'video/x-msvideo',
  flac: 'audio/flac',
  m4a: 'audio/mp4',
  m4v: 'video/mp4',
  mid: 'audio/midi',
  midi: 'audio/midi',
  mkv: 'video/x-matroska',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  mpeg: 'video/mpeg',
  mpg: 'video/mpeg',
  oga: 'audio/ogg',
  ogg: 'audio/ogg',
  ogv: 'video/ogg',
  opus: 'audio/ogg',
  wav: 'audio/wav',
  weba: 'audio/webm',
  webm: 'video/webm',
  wma: 'audio/x-ms-wma',
  wmv: 'video/x-ms-wmv',
}

/** Shown as plain text, whatever a browser would make of them. */
const texts = {
  csv: 'text/csv; charset=utf-8',
  ics: 'text/calendar; charset=utf-8',
  json: 'application/json',
  md: 'text/markdown; charset=utf-8',
  markdown: 'text/markdown; charset=utf-8',
  vcf: 'text/vcard; charset=utf-8',
}

/** Could act as a document of ours if a header were lost on the way, so the type says nothing. */
const activeTexts = [
  ...['cjs', 'css', 'htm', 'html', 'js', 'mjs', 'shtml', 'svg', 'xht', 'xhtml', 'xml', 'xsl'],
  ...['xslt'],
]

const attachments = {
  '7z': 'application/x-7z-compressed',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  epub: 'application/epub+zip',
  gz: 'application/gzip',
  odp: 'application/vnd.oasis.opendocument.presentation',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odt: 'application/vnd.oasis.opendocument.text',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  rar: 'application/vnd.rar',
  rtf: 'application/rtf',
  tar: 'application/x-tar',
  tgz: 'application/gzip',
  woff: 'font/woff',
  woff2: 'font/woff2',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  zip: 'application/zip',
}

const unknown: ContentType = { type: binary, inlineType: null, viewer: 'sandboxed' }
const shownAsText: ContentType = {
  type: plainText,
  inlineType: plainText,
  viewer: 'sandboxed',
}
const types = makeTypes()

export function safeContentType(filename: string): ContentType {
  const extension = extensionOf(filename)
  if (extension !== null) return types.get(extension) ?? unknown
  return previewKindOf(filename) === 'text' ? shownAsText : unknown
}

function makeTypes(): Map<string, ContentType> {
  const found = new Map<string, ContentType>()
  for (const extension of previewableExtensions) found.set(extension, shownAsText)
  for (const [extension, type] of Object.entries(images)) {
    found.set(extension, { type, inlineType: type, viewer: 'sandboxed' })
  }
  for (const [extension, type] of Object.entries(media)) {
    found.set(extension, { type, inlineType: type, viewer: 'media' })
  }
  for (const [extension, type] of Object.entries(texts)) {
    found.set(extension, { type, inlineType: plainText, viewer: 'sandboxed' })
  }
  for (const extension of activeTexts) {
    found.set(extension, { type: binary, inlineType: plainText, viewer: 'sandboxed' })
  }
  for (const [extension, type] of Object.entries(attachments)) {
    found.set(extension, { type, inlineType: null, viewer: 'sandboxed' })
  }
  found.set('pdf', { type: 'application/pdf', inlineType: 'application/pdf', viewer: 'pdf' })
  return found
}
