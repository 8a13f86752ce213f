import { extensionOf } from '@floe/contracts'
import clojure from 'highlight.js/lib/languages/clojure'
import cmake from 'highlight.js/lib/languages/cmake'
import dart from 'highlight.js/lib/languages/dart'
import dockerfile from 'highlight.js/lib/languages/dockerfile'
import dos from 'highlight.js/lib/languages/dos'
import elixir from 'highlight.js/lib/languages/elixir'
import erlang from 'highlight.js/lib/languages/erlang'
import fsharp from 'highlight.js/lib/languages/fsharp'
import groovy from 'highlight.js/lib/languages/groovy'
import haskell from 'highlight.js/lib/languages/haskell'
import julia from 'highlight.js/lib/languages/julia'
import latex from 'highlight.js/lib/languages/latex'
import nix from 'highlight.js/lib/languages/nix'
import ocaml from 'highlight.js/lib/languages/ocaml'
import powershell from 'highlight.js/lib/languages/powershell'
import protobuf from 'highlight.js/lib/languages/protobuf'
import scala from 'highlight.js/lib/languages/scala'
import vim from 'highlight.js/lib/languages/vim'
import { common, createLowlight } from 'lowlight'

export const languages = {
  ...common,
  ...{ clojure, cmake, dart, dockerfile, dos, elixir, erlang, fsharp, groovy, haskell, julia },
  ...{ latex, nix, ocaml, powershell, protobuf, scala, vim },
}

export const highlighter = createLowlight(languages)

/** Extensions and bare names of files beyond what the grammars call themselves. */
const others: Readonly<Record<string, string>> = {
  astro: 'xml',
  cfg: 'ini',
  cljs: 'clojure',
  conf: 'ini',
  containerfile: 'dockerfile',
  csproj: 'xml',
  editorconfig: 'ini',
  env: 'ini',
  fish: 'bash',
  geojson: 'json',
  gnumakefile: 'makefile',
  gpx: 'xml',
  gradle: 'groovy',
  htm: 'xml',
  ipynb: 'json',
  jl: 'julia',
  jsonl: 'json',
  kml: 'xml',
  opml: 'xml',
  properties: 'ini',
  psm1: 'powershell',
  pyi: 'python',
  rakefile: 'ruby',
  sass: 'scss',
  sbt: 'scala',
  shtml: 'xml',
  svelte: 'xml',
  vue: 'xml',
  xht: 'xml',
  xslt: 'xml',
}

/** The grammar for a file, told by its name; null where it is to stay as it is. */
export function languageOf(fileName: string): string | null {
  const key = extensionOf(fileName) ?? fileName.split('/').at(-1)?.trim().toLowerCase() ?? ''
  const language = others[key] ?? key
  return language !== 'txt' && highlighter.registered(language) ? language : null
}
