/** What an entry is found by. */
export interface Findable {
  label: string
  /** Where it belongs, or what else tells it apart. */
  detail?: string
  /** Not shown. */
  keywords?: string
}

/** Letters that are others with a stroke through them, or two in one, which Unicode does not take apart. */
const plainLetters: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' },
  ...{ ς: 'σ', ة: 'ه', ى: 'ي' },
}
/** Accents of Latin, Greek and Cyrillic letters, and the vowels that Arabic may leave out. */
const accents = /[\u0300-\u036F\u064B-\u065F\u0670]/g
const joints = /[^\p{L}\p{M}\p{N}]+/gu

/** Lower case, without accents, words apart by a space each: what people type is rarely exact. */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(accents, '')
    .toLowerCase()
    .replaceAll(/[ßæœøłđðþıςةى]/g, (letter) => plainLetters[letter] ?? letter)
    .replaceAll(joints, ' ')
    .trim()
}

/** A search over entries, which are read once and then looked through with every letter typed. */
export function createFinder<Entry extends Findable>(entries: readonly Entry[]) {
  const read = entries.map((entry) => ({
    entry,
    label: foldText(entry.label),
    others: foldText(`${entry.detail ?? ''} ${entry.keywords ?? ''}`),
  }))

  /** Those in which all words occur, the best first; equal ones stay in their order. */
  return function find(query: string): { entry: Entry; rank: number }[] {
    const wanted = foldText(query)
    const words = wanted.split(' ')
    return read
      .flatMap(({ entry, label, others }) => {
        const ranks = words.map((word) => rankOf(word, label, others))
        if (ranks.includes(0)) return []
        const start = label === wanted ? 20 : label.startsWith(wanted) ? 10 : 0
        return [{ entry, rank: start + ranks.reduce((sum, rank) => sum + rank) / words.length }]
      })
      .sort((a, b) => b.rank - a.rank)
  }
}

/** How well a word is matched, 0 for not at all. */
function rankOf(word: string, label: string, others: string): number {
  if (label.startsWith(word)) return 5
  if (` ${label}`.includes(` ${word}`)) return 4
  if (label.includes(word)) return 3
  if (` ${others}`.includes(` ${word}`)) return 2
  return others.includes(word) ? 1 : 0
}
