import { extensionOf, previewKindOf } from '@floe/contracts'

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
const pdf = 'application/pdf'

type Types = ReadonlyMap<string, string>

/** Pictures that browsers show, some of them only a few browsers. */
const pictures: Types = byExtension({
  'image/apng': 'apng',
  'image/avif': 'avif',
  'image/bmp': 'bmp',
  'image/gif': 'gif',
  'image/heic': 'heic',
  'image/heif': 'heif',
  'image/jpeg': 'jfif jpeg jpg',
  'image/jxl': 'jxl',
  'image/png': 'png',
  'image/tiff': 'tif tiff',
  'image/vnd.microsoft.icon': 'ico',
  'image/webp': 'webp',
})

/** Films and sounds that browsers play, some of them only a few browsers. */
const media: Types = byExtension({
  'audio/aac': 'aac',
  'audio/flac': 'flac',
  'audio/midi': 'mid midi',
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'oga ogg opus',
  'audio/wav': 'wav',
  'audio/webm': 'weba',
  'audio/x-aiff': 'aif aiff',
  'audio/x-ms-wma': 'wma',
  'video/3gpp': '3gp',
  'video/mp4': 'm4v mp4',
  'video/mpeg': 'mpeg mpg',
  'video/ogg': 'ogv',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
  'video/x-matroska': 'mkv',
  'video/x-ms-wmv': 'wmv',
  'video/x-msvideo': 'avi',
})

/** Told by their types where they are saved, but shown as plain text. */
const typedTexts: Types = byExtension({
  'application/json': 'json',
  'text/calendar; charset=utf-8': 'ics',
  'text/csv; charset=utf-8': 'csv',
  'text/markdown; charset=utf-8': 'markdown md',
  'text/vcard; charset=utf-8': 'vcf',
})

/** Could act as a document of ours if a header were lost on the way, so the type says nothing. */
const activeTexts = new Set([
  ...['cjs', 'css', 'htm', 'html', 'js', 'mjs', 'shtml', 'svg', 'xht', 'xhtml', 'xml', 'xsl'],
  ...['xslt'],
])

const attachments: Types = byExtension({
  'application/epub+zip': 'epub',
  'application/gzip': 'gz tgz',
  'application/msword': 'doc',
  'application/rtf': 'rtf',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.ms-powerpoint': 'ppt',
  'application/vnd.oasis.opendocument.presentation': 'odp',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.rar': 'rar',
  'application/x-7z-compressed': '7z',
  'application/x-tar': 'tar',
  'application/zip': 'zip',
  'font/woff': 'woff',
  'font/woff2': 'woff2',
})

export function safeContentType(filename: string): ContentType {
  const extension = extensionOf(filename) ?? ''
  const picture = pictures.get(extension)
  if (picture !== undefined) return shownAsItIs(picture, 'sandboxed')
  const played = media.get(extension)
  if (played !== undefined) return shownAsItIs(played, 'media')
  const kind = previewKindOf(filename)
  if (kind === 'pdf') return shownAsItIs(pdf, 'pdf')
  if (kind !== null) {
    return { type: textType(extension), inlineType: plainText, viewer: 'sandboxed' }
  }
  return { type: attachments.get(extension) ?? binary, inlineType: null, viewer: 'sandboxed' }
}

function shownAsItIs(type: string, viewer: ContentType['viewer']): ContentType {
  return { type, inlineType: type, viewer }
}

function textType(extension: string): string {
  if (activeTexts.has(extension)) return binary
  return typedTexts.get(extension) ?? plainText
}

function byExtension(extensionsOf: Readonly<Record<string, string>>): Types {
  return new Map(
    Object.entries(extensionsOf).flatMap(([type, extensions]) =>
      extensions.split(' ').map((extension) => [extension, type] as const),
    ),
  )
}
