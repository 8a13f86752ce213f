/** A line of a message after its placeholders were filled in. */
export interface MailLine {
  text: string
  /** The template made this line an address of ours: it is shown as a button. */
  isLink: boolean
}

/** Clients drop style sheets, and some classes with them: every rule stands on its element. */
const styles = {
  // Neither text nor background has a colour of its own, so both follow the reader's scheme.
  body: 'margin:0;padding:24px 16px;font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif',
  frame: 'max-width:560px;margin:0 auto',
  name: 'margin:0 0 24px;font-size:18px;font-weight:600',
  paragraph: 'margin:0 0 16px',
  button:
    'display:inline-block;padding:12px 24px;border-radius:8px;background:#126689;color:#ffffff;font-weight:600;text-decoration:none',
  address: 'margin:0 0 16px;font-size:14px;overflow-wrap:anywhere;word-break:break-word',
}

/**
 * A page that reads well on a phone, in light and in dark. Administrators
 * write messages in any language, so every block finds its own direction.
 */
export function renderHtml({
  title,
  appName,
  lines,
}: {
  title: string
  appName: string
  lines: readonly MailLine[]
}): string {
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
</head>
<body dir="auto" style="${escapeHtml(styles.body)}">
<div style="${styles.frame}">
${block(styles.name, escapeHtml(appName))}
${gatherBlocks(lines).map(renderBlock).join('\n')}
</div>
</body>
</html>
`
}

/** Lines up to an empty one are a paragraph; a link is a block of its own wherever it stands. */
function gatherBlocks(lines: readonly MailLine[]): MailLine[][] {
  const blocks: MailLine[][] = []
  let open: MailLine[] | undefined
  for (const line of lines) {
    const isEmpty = line.text.trim() === ''
    if (isEmpty || line.isLink) open = undefined
    if (isEmpty) continue
    if (line.isLink) blocks.push([line])
    else if (open) open.push(line)
    else blocks.push((open = [line]))
  }
  return blocks
}

function renderBlock(lines: MailLine[]): string {
  const [first] = lines
  if (first?.isLink) return renderButton(first.text.trim())
  return block(styles.paragraph, lines.map(({ text }) => linkAddresses(text)).join('<br>\n'))
}

/** The plain address stands below, for clients that show no links and readers who trust none. */
function renderButton(address: string): string {
  const label = URL.canParse(address) ? new URL(address).host : address
  return [
    block(styles.paragraph, anchor(address, label, styles.button)),
    block(styles.address, anchor(address, address)),
  ].join('\n')
}

function block(style: string, html: string): string {
  return `<p dir="auto" style="${style}">${html}</p>`
}

function linkAddresses(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?'()[\]{}])/)
    .map((part, index) => (index % 2 === 1 ? anchor(part, part) : escapeHtml(part)))
    .join('')
}

function anchor(address: string, label: string, style?: string): string {
  const styled = style === undefined ? '' : ` style="${style}"`
  return `<a href="${escapeHtml(address)}"${styled}>${escapeHtml(label)}</a>`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
