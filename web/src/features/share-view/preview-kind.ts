export type PreviewKind = 'image' | 'video' | 'audio' | 'text' | 'pdf'

const extensions: Record<PreviewKind, readonly string[]> = {
  image: ['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'svg', 'bmp', 'ico'],
  video: ['mp4', 'webm', 'mov', 'm4v', 'ogv'],
  audio: ['mp3', 'wav', 'ogg', 'oga', 'm4a', 'flac', 'aac', 'opus'],
  pdf: ['pdf'],
  text: (
    'txt md csv tsv json log xml yml yaml toml ini conf js mjs ts tsx jsx css html htm py rb go rs ' +
    'java c h cpp hpp cs php sh sql srt vtt tex diff patch'
  ).split(' '),
}

const kinds = new Map(
  Object.entries(extensions).flatMap(([kind, list]) =>
    list.map((extension) => [extension, kind as PreviewKind] as const),
  ),
)

/** How a file can be looked at, told by its extension; `null` when it cannot. */
export function previewKindOf(fileName: string): PreviewKind | null {
  const dot = fileName.lastIndexOf('.')
  return dot === -1 ? null : (kinds.get(fileName.slice(dot + 1).toLowerCase()) ?? null)
}
