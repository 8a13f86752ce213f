/**
 * What can be looked at without saving it, told by the name alone. The page decides by this list
 * what to offer, the file service what it serves inline; all other types are saved.
 */
export type PreviewKind = 'image' | 'vector' | 'video' | 'audio' | 'pdf' | 'markdown' | 'text'

const extensions: Record<PreviewKind, string> = {
  image: 'apng avif bmp gif ico jfif jpeg jpg png webp',
  vector: 'svg',
  video: 'm4v mkv mov mp4 ogv webm',
  audio: 'aac flac m4a mp3 oga ogg opus wav weba',
  pdf: 'pdf',
  markdown: 'markdown md mdown mkd',
  text:
    'adoc asc asm astro awk bash bat bib c cc cfg cjs clj cljs cmake cmd coffee conf cpp cs csproj ' +
    'css csv cue cxx dart diff dockerfile dockerignore editorconfig edn elm env eml erl ex exs f90 ' +
    'fish fs geojson gitattributes gitignore glsl go gpx gql gradle graphql groovy h hbs hpp hs htm ' +
    'html hxx ics ini ipynb java jl js json json5 jsonc jsonl jsx kml kt kts less lock log lua m m3u ' +
    'm3u8 mjs mk ml mm nfo nim nix opml org patch php pl plist pm pod properties proto ps1 psm1 py ' +
    'pyi r rb rs rst sass sbt scala scss sh shtml sln sql srt sub styl sv svelte swift tcl tex tf ' +
    'thrift toml ts tsv tsx txt v vb vcf vhd vim vtt vue xht xhtml xml xsl xslt yaml yml zig zsh',
}

/** Files that by custom have no extension. */
const bareTextNames =
  'authors brewfile changelog changes codeowners containerfile contributing contributors copying ' +
  'copyright dockerfile gemfile gnumakefile install jenkinsfile justfile licence license makefile ' +
  'news notice procfile rakefile readme todo vagrantfile version'

const kindsByExtension = new Map(
  Object.entries(extensions).flatMap(([kind, list]) =>
    list.split(' ').map((extension) => [extension, kind as PreviewKind] as const),
  ),
)
const bareNames = new Set(bareTextNames.split(' '))

export const previewableExtensions: readonly string[] = [...kindsByExtension.keys()]

/** Lower case, without its dot; `null` for a name without one, or one that only looks like one. */
export function extensionOf(fileName: string): string | null {
  return /\.([A-Za-z0-9]{1,16})$/.exec(fileName.trim())?.[1]?.toLowerCase() ?? null
}

/** The part behind the last folder decides. */
export function previewKindOf(fileName: string): PreviewKind | null {
  const extension = extensionOf(fileName)
  if (extension !== null) return kindsByExtension.get(extension) ?? null
  const bare = fileName.split('/').at(-1)?.trim().toLowerCase() ?? ''
  return bareNames.has(bare) ? 'text' : null
}
