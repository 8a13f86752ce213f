import { type Language, shadesLike } from '@floe/contracts'

/** A line of a message after its placeholders were filled in. */
export interface MailLine {
  text: string
  /**
   * `action`: the template made this line an address of ours, shown as a button. `note`: words of
   * the sender, set apart from ours.
   */
  kind: 'text' | 'action' | 'note'
}

export interface MailPage {
  title: string
  /** What the button says. */
  action: string
  language: Language | undefined
  /** Links and buttons follow it; empty is Floe's own. */
  accentColor: string
  /** The name of the place that sends the message, and its address. */
  app: { name: string; url: string; logoUrl: string | undefined }
  lines: readonly MailLine[]
}

/** The colours of the page, light and dark, before they follow an accent color. */
const colours = {
  canvas: ['background-color', '#f3f7f9', '#0e171e'],
  card: ['background-color', '#ffffff', '#131e26'],
  line: ['border-color', '#dde5ea', '#2b3b46'],
  text: ['color', '#16222b', '#dde7ed'],
  dimmed: ['color', '#5d6f7a', '#97a8b4'],
  link: ['color', '#126689', '#7cc3de'],
  note: ['background-color', '#ecf7fb', '#1b2832'],
  edge: ['border-color', '#7cc3de', '#2f93ba'],
  button: ['background-color', '#126689', '#1b7ea6'],
} as const

type Colour = keyof typeof colours
type Palette = Record<Colour, readonly [property: string, light: string, dark: string]>

/** Another hue changes no luminance, so that texts are read as well as in Floe's own. */
function paletteLike(accentColor: string): Palette {
  if (accentColor === '') return colours
  const follow = (name: Colour) => {
    const [property, light, dark] = colours[name]
    return [property, ...shadesLike<[string, string]>(accentColor, [light, dark])] as const
  }
  return {
    ...colours,
    link: follow('link'),
    edge: follow('edge'),
    button: follow('button'),
    // In the dark it is gray.
    note: [
      colours.note[0],
      ...shadesLike<[string]>(accentColor, [colours.note[1]]),
      colours.note[2],
    ],
  }
}

/**
 * The attributes that give an element its colours. Mail programs drop style sheets, so the light
 * ones stand on the elements; those that know the reader's scheme read the style sheet too.
 */
type Paint = (names: readonly Colour[], style?: string) => string

function painterOf(palette: Palette): Paint {
  return (names, style = '') => {
    const light = names.map((name) => `${palette[name][0]}:${palette[name][1]}`)
    const all = [...(style === '' ? [] : [style]), ...light].join(';')
    return `class="${names.join(' ')}" style="${all}"`
  }
}

const font = "font-family:Inter,'Segoe UI',system-ui,-apple-system,Roboto,'Noto Sans',sans-serif"
const block = `margin:0 0 20px;text-align:start;overflow-wrap:anywhere;word-break:break-word`

function styleSheetOf(palette: Palette): string {
  const darkRules = Object.entries(palette).map(
    ([name, [property, , dark]]) => `.${name}{${property}:${dark}!important}`,
  )
  return `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:480px){.card{padding:28px 20px 8px!important}}
@media (prefers-color-scheme:dark){
${darkRules.join('\n')}
}`
}

/**
 * One column of at most 600 pixels, in tables, the only layout that every mail program knows.
 * Administrators write messages in any language, so every block finds its own direction.
 */
export function renderHtml({ title, action, language, accentColor, app, lines }: MailPage): string {
  const palette = paletteLike(accentColor)
  const paint = painterOf(palette)
  const direction = directionOf(lines)
  const table = `role="presentation" cellpadding="0" cellspacing="0" border="0"`
  const align = `text-align:${direction === 'rtl' ? 'right' : 'left'}`
  return `<!doctype html>
<html${language ? ` lang="${language}"` : ''} dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>
${styleSheetOf(palette)}
</style>
</head>
<body ${paint(['canvas'], 'margin:0;padding:0')}>
<table ${table} width="100%" ${paint(['canvas'])}><tr><td align="center" style="padding:32px 12px">
<table ${table} width="600" dir="${direction}" style="width:100%;max-width:600px;table-layout:fixed;${align}">
<tr><td style="padding:0 4px 20px">${renderHead(app, paint)}</td></tr>
<tr><td ${paint(['card', 'line', 'text'], `padding:36px 40px 16px;border-width:1px;border-style:solid;border-radius:16px;font-size:16px;line-height:1.55;${font}`)}>
${gatherBlocks(lines)
  .map((lines) => renderBlock(lines, { action, direction, paint }))
  .join('\n')}
</td></tr>
<tr><td style="padding:20px 4px 0">${renderFoot(app, paint)}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
}

/** The logo says nothing that its name beside does not: where pictures are blocked, no gap shows. */
function renderHead({ name, logoUrl }: MailPage['app'], paint: Paint): string {
  const logo = logoUrl
    ? `<img src="${escapeHtml(logoUrl)}" width="32" height="32" alt="" style="display:inline-block;vertical-align:middle;border:0">&nbsp;&nbsp;`
    : ''
  const style = `vertical-align:middle;font-size:18px;font-weight:600;${font}`
  return `${logo}<span dir="auto" ${paint(['text'], style)}>${escapeHtml(name)}</span>`
}

function renderFoot({ url }: MailPage['app'], paint: Paint): string {
  if (!URL.canParse(url)) return ''
  const style = `font-size:13px;text-decoration:none;${font}`
  return `<a href="${escapeHtml(url)}" ${paint(['dimmed'], style)}>${escapeHtml(new URL(url).host)}</a>`
}

/** Lines of one kind up to an empty one are a block; an action is one by itself. */
function gatherBlocks(lines: readonly MailLine[]): MailLine[][] {
  const blocks: MailLine[][] = []
  let open: MailLine[] | undefined
  for (const line of lines) {
    const isEmpty = line.text.trim() === ''
    if (isEmpty || line.kind === 'action' || open?.[0]?.kind !== line.kind) open = undefined
    if (isEmpty) continue
    if (open) open.push(line)
    else blocks.push((open = [line]))
  }
  return blocks
}

function renderBlock(
  lines: MailLine[],
  { action, direction, paint }: { action: string; direction: 'ltr' | 'rtl'; paint: Paint },
): string {
  const kind = lines[0]?.kind
  const html = lines.map(({ text }) => linkAddresses(text, paint)).join('<br>\n')
  if (kind === 'action') return renderAction(lines[0]?.text.trim() ?? '', { action, paint })
  if (kind === 'text') return `<p dir="auto" style="${block}">${html}</p>`
  const edge = direction === 'rtl' ? '0 3px 0 0' : '0 0 0 3px'
  const quote = `${block};padding:12px 16px;border-width:${edge};border-style:solid;border-radius:6px;unicode-bidi:plaintext`
  return `<p dir="auto" ${paint(['note', 'edge'], quote)}>${html}</p>`
}

/** The plain address stands below, for clients that show no links and readers who trust none. */
function renderAction(
  address: string,
  { action, paint }: { action: string; paint: Paint },
): string {
  const button = `display:inline-block;padding:13px 28px;border-radius:10px;color:#ffffff;font-weight:600;text-decoration:none;${font}`
  const plain = `${block};font-size:13px;line-height:1.45`
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:4px 0 12px"><tr><td ${paint(['button'], 'border-radius:10px')}><a href="${escapeHtml(address)}" dir="auto" style="${button}">${escapeHtml(action)}</a></td></tr></table>
<p style="${plain}"><span dir="ltr">${anchor(address, paint(['dimmed']))}</span></p>`
}

function linkAddresses(text: string, paint: Paint): string {
  return text
    .split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?'()[\]{}])/)
    .map((part, index) => (index % 2 === 1 ? anchor(part, paint(['link'])) : escapeHtml(part)))
    .join('')
}

function anchor(address: string, painted: string): string {
  return `<a href="${escapeHtml(address)}" ${painted}>${escapeHtml(address)}</a>`
}

/** As the first letter of the message runs: its greeting is in the language of its reader. */
function directionOf(lines: readonly MailLine[]): 'ltr' | 'rtl' {
  const first = lines.map(({ text }) => /\p{L}/u.exec(text)?.[0]).find(Boolean) ?? ''
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(first) ? 'rtl' : 'ltr'
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
