import { describe, expect, test } from 'vitest'
import { type Fonts, launchBrowser } from './harness/browser.ts'

const texts = [
  { family: 'system-ui, sans-serif', text: 'Files' },
  { family: 'sans-serif', text: 'Файлы' },
  { family: 'sans-serif', text: 'ملفات' },
  { family: 'sans-serif', text: 'ไฟล์' },
  { family: 'sans-serif', text: '文件' },
  { family: 'serif', text: 'Files' },
  { family: 'monospace', text: 'Files' },
  // Comes with one of the packages, and is not named: whatever else a machine has is unknown too.
  { family: 'Purisa, sans-serif', text: 'Files' },
]

/** The families that Chromium draws the texts with. */
async function drawnWith(fonts: Fonts): Promise<string[]> {
  const browser = await launchBrowser({ fonts })
  try {
    const page = await browser.newPage()
    await page.setContent(
      texts.map(({ family, text }) => `<p style="font-family: ${family}">${text}</p>`).join(''),
    )
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('DOM.enable')
    await devtools.send('CSS.enable')
    const { root } = await devtools.send('DOM.getDocument')
    const found = await devtools.send('DOM.querySelectorAll', {
      nodeId: root.nodeId,
      selector: 'p',
    })
    const drawn: string[] = []
    for (const nodeId of found.nodeIds) {
      const response = await devtools.send('CSS.getPlatformFontsForNode', { nodeId })
      drawn.push(response.fonts.map(({ familyName }) => familyName).join())
    }
    return drawn
  } finally {
    await browser.close()
  }
}

describe('pages are drawn with the fonts that the tests name', () => {
  test('and with no other that the machine has', async () => {
    expect(await drawnWith('usual')).toEqual([
      'DejaVu Sans',
      'DejaVu Sans',
      'DejaVu Sans',
      'Loma',
      'WenQuanYi Micro Hei',
      'DejaVu Serif',
      'DejaVu Sans Mono',
      'DejaVu Sans',
    ])
  })

  test('and with another one where a test asks for it', async () => {
    const drawn = await drawnWith('garuda')
    expect([drawn.at(0), drawn.at(-1)]).toEqual(['Garuda', 'Garuda'])
  })
})
