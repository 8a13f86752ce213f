import { toString } from 'qrcode'

/** A `data:` address of an SVG, black on white whatever the page's colours: cameras need that. */
export async function drawQrCode(text: string): Promise<string> {
  const svg = await toString(text, { type: 'svg', errorCorrectionLevel: 'M', margin: 2 })
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}
