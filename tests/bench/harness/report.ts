import { median, quantile, ratios } from './statistics.ts'

/** Paired runs of a comparison; fewer are said in the table. */
export const FULL_ROUNDS = 5

export type Verdict = 'met' | 'missed' | 'for information' | 'not measured'

/** One row of the table. */
export interface Line {
  what: string
  floe: string
  reference: string
  measured: string
  budget: string
  verdict: Verdict
}

export interface Series {
  name: string
  values: readonly number[]
}

/** Floe against a reference in paired runs; `unit` is of the values, the budget is of the ratio. */
export function compareLine(options: {
  what: string
  ours: readonly number[]
  theirs: Series
  unit: string
  digits?: number
  atLeast: number
}): Line {
  const { what, ours, theirs, unit, digits = 0, atLeast } = options
  const all = ratios(ours, theirs.values)
  return {
    what,
    floe: `${median(ours).toFixed(digits)} ${unit}`,
    reference: `${theirs.name}: ${median(theirs.values).toFixed(digits)} ${unit}`,
    measured: withRange(all, (ratio) => `${ratio.toFixed(2)} ×`),
    budget: `≥ ${atLeast} ×`,
    verdict: median(all) >= atLeast ? 'met' : 'missed',
  }
}

/** A figure of Floe alone, against a limit. `references` are shown beside it. */
export function limitLine(options: {
  what: string
  values: readonly number[]
  unit: string
  digits: number
  references?: readonly Series[]
  atMost?: number
  atLeast?: number
}): Line {
  const { what, values, unit, digits, references = [], atMost, atLeast } = options
  const format = (value: number): string => `${value.toFixed(digits)} ${unit}`
  const middle = median(values)
  const isMet = middle <= (atMost ?? Infinity) && middle >= (atLeast ?? -Infinity)
  const hasBudget = atMost !== undefined || atLeast !== undefined
  return {
    what,
    floe: format(middle),
    reference: references
      .map(({ name, values: of }) => `${name}: ${format(median(of))}`)
      .join(', '),
    measured: withRange(values, format),
    budget: budgetText(unit, atMost, atLeast),
    verdict: hasBudget ? (isMet ? 'met' : 'missed') : 'for information',
  }
}

export function missingLine(what: string, why: string): Line {
  return { what, floe: '', reference: '', measured: why, budget: '', verdict: 'not measured' }
}

function budgetText(unit: string, atMost?: number, atLeast?: number): string {
  if (atMost !== undefined) return `≤ ${atMost} ${unit}`
  if (atLeast !== undefined) return `≥ ${atLeast} ${unit}`
  return ''
}

function withRange(values: readonly number[], format: (value: number) => string): string {
  if (values.length === 1) return format(median(values))
  const low = format(quantile(values, 0))
  const high = format(quantile(values, 1))
  const runs = values.length < FULL_ROUNDS ? `, ${values.length} runs` : ''
  return `${format(median(values))} (${low} to ${high}${runs})`
}

const columns = ['What', 'Floe', 'Reference', 'Measured', 'Budget', 'Verdict'] as const

function cellsOf({ what, floe, reference, measured, budget, verdict }: Line): string[] {
  return [what, floe, reference, measured, budget, verdict]
}

export function plainTable(lines: readonly Line[]): string {
  const rows = [[...columns], ...lines.map(cellsOf)]
  const widths = columns.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export function markdownTable(lines: readonly Line[]): string {
  const header = [`| ${columns.join(' | ')} |`, `|${columns.map(() => '---').join('|')}|`]
  return [...header, ...lines.map(markdownRow)].join('\n')
}

export function markdownRow(line: Line): string {
  return `| ${cellsOf(line).join(' | ')} |`
}
