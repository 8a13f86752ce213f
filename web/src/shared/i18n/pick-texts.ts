import type { Texts } from './fill-catalogue.ts'

/** These texts of a catalogue by their keys, with every plural form of those that count. */
export function pickTexts(catalogue: Texts, keys: readonly string[]): Record<string, string> {
  const picked: Record<string, string> = {}
  for (const key of keys) {
    const path = key.split('.')
    const name = path.pop() ?? ''
    let section: Texts | string | undefined = catalogue
    for (const step of path) section = typeof section === 'object' ? section[step] : undefined
    const found = Object.entries(typeof section === 'object' ? section : {}).filter(
      ([own]) => own === name || /^_(?:zero|one|two|few|many|other)$/.test(own.slice(name.length)),
    )
    for (const [own, text] of found) {
      if (typeof text === 'string' && own.startsWith(name)) picked[[...path, own].join('.')] = text
    }
  }
  return picked
}
