import { isModest, markdown, type MarkdownTree } from '../../shared/markdown/markdown.ts'

/** `null` for a text that nobody has written by hand. */
export async function toLegalTree(text: string): Promise<MarkdownTree | null> {
  const tree = await markdown.run(markdown.parse(text))
  return isModest(tree) ? tree : null
}
