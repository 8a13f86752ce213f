export type Texts = { [name: string]: string | Texts }

const PLURAL = '_other'

/**
 * What a catalogue does not say yet, English says: a page never shows a bare key. An empty text
 * counts as not said. The language's own rules select the plural forms it gets; for one it lacks,
 * its own `_other` stands in before English does.
 */
export function fillCatalogue(catalogue: Texts, english: Texts, locale: string): Texts {
  const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions()
  return fill(catalogue, english, pluralCategories)
}

function fill(own: Texts, english: Texts, categories: readonly string[]): Texts {
  const filled = Object.fromEntries(Object.entries(own).filter(([, text]) => text !== ''))
  for (const [name, text] of Object.entries(english)) {
    const said = filled[name]
    if (typeof text !== 'string') {
      filled[name] = fill(typeof said === 'object' ? said : {}, text, categories)
    } else if (name.endsWith(PLURAL)) {
      fillForms(filled, english, name.slice(0, -PLURAL.length), categories)
    } else if (!isPluralForm(name, english)) {
      filled[name] ??= text
    }
  }
  return filled
}

function fillForms(
  filled: Texts,
  english: Texts,
  base: string,
  categories: readonly string[],
): void {
  const ownOther = filled[base + PLURAL]
  for (const category of categories) {
    const form = `${base}_${category}`
    const text = filled[form] ?? ownOther ?? english[form] ?? english[base + PLURAL]
    if (text !== undefined) filled[form] = text
  }
}

function isPluralForm(name: string, english: Texts): boolean {
  const cut = name.lastIndexOf('_')
  return cut > 0 && name.slice(0, cut) + PLURAL in english
}
