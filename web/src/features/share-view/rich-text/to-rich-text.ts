import rehypeHighlight from 'rehype-highlight'
import { isModest, markdown } from '../../../shared/markdown/markdown.ts'
import { highlighter, languageOf, languages } from './languages.ts'

/** A syntax tree of HTML: https://github.com/syntax-tree/hast */
export type RichText = ReturnType<typeof highlighter.highlight>

export interface RichTextRequest {
  kind: 'markdown' | 'text'
  fileName: string
  text: string
}

const documents = markdown().use(rehypeHighlight, { languages })

/** Null for what reads best as plain text. */
export async function toRichText(request: RichTextRequest): Promise<RichText | null> {
  const tree = await parse(request)
  return tree && isModest(tree) ? tree : null
}

async function parse({ kind, fileName, text }: RichTextRequest): Promise<RichText | null> {
  if (kind === 'markdown') return documents.run(documents.parse(text))
  const language = languageOf(fileName)
  return language === null ? null : highlighter.highlight(language, text)
}
