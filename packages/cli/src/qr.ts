import { create } from 'qrcode'

const MARGIN = 2

/** A link for telephones: each character is two modules, one above the other. */
export function drawQr(link: string): string {
  const { modules } = create(link, { errorCorrectionLevel: 'L' })
  const { size } = modules
  const isInside = (at: number) => at >= 0 && at < size
  const isDark = (row: number, column: number) =>
    isInside(row) && isInside(column) && Boolean(modules.get(row, column))
  const lines: string[] = []
  for (let row = -MARGIN; row < size + MARGIN; row += 2) {
    let line = ''
    for (let column = -MARGIN; column < size + MARGIN; column += 1) {
      // Light is drawn: most terminals are dark, and codes are dark on light.
      const [upper, lower] = [isDark(row, column), isDark(row + 1, column)]
      line += upper ? (lower ? ' ' : '▄') : lower ? '▀' : '█'
    }
    lines.push(line)
  }
  return lines.join('\n')
}
