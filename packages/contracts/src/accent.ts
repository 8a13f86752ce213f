/**
 * A color's hue in the lightness of each shade of another: it has the luminance of that shade, or a
 * little more contrast to what lies on the other side of the scale. So a text that can be read in
 * the shades of the theme can be read in those of any color.
 */
export function shadesLike<Shades extends readonly string[]>(
  color: string,
  shades: Shades,
): Shades {
  const { hue, saturation } = toHueAndSaturation(color)
  const made = shades.map((shade) => {
    const wanted = luminanceOf(shade)
    return findLightness((lightness) => fromHsl(hue, saturation, lightness), wanted)
  })
  // As many as there were.
  return made as readonly string[] as Shades
}

/** Darker than this they are letters and areas under white ones, lighter they lie under letters. */
const MIDDLE = 0.25
const STEPS = 16

/** The luminance grows with the lightness. */
function findLightness(colorAt: (lightness: number) => string, wanted: number): string {
  let [dark, light] = [0, 1]
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (dark + light) / 2
    if (luminanceOf(colorAt(middle)) > wanted) light = middle
    else dark = middle
  }
  return colorAt(wanted < MIDDLE ? dark : light)
}

const channelsOf = (color: string): [number, number, number] => [
  Number.parseInt(color.slice(1, 3), 16),
  Number.parseInt(color.slice(3, 5), 16),
  Number.parseInt(color.slice(5, 7), 16),
]

const toHex = (channels: readonly number[]) =>
  `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
export function luminanceOf(color: string): number {
  const [red, green, blue] = channelsOf(color).map((channel) => {
    const part = channel / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}

function toHueAndSaturation(color: string): { hue: number; saturation: number } {
  const [red, green, blue] = channelsOf(color)
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)]
  const range = most - least
  if (range === 0) return { hue: 0, saturation: 0 }
  const sum = most + least
  const saturation = range / (sum > 255 ? 510 - sum : sum)
  if (most === red) return { hue: (60 * (green - blue)) / range, saturation }
  if (most === green) return { hue: 120 + (60 * (blue - red)) / range, saturation }
  return { hue: 240 + (60 * (red - green)) / range, saturation }
}

/** https://www.w3.org/TR/css-color-4/#hsl-to-rgb */
function fromHsl(hue: number, saturation: number, lightness: number): string {
  const reach = saturation * Math.min(lightness, 1 - lightness)
  const channel = (offset: number) => {
    const turn = (offset + hue / 30 + 12) % 12
    return 255 * (lightness - reach * Math.max(-1, Math.min(turn - 3, 9 - turn, 1)))
  }
  return toHex([channel(0), channel(8), channel(4)])
}

/** Half of each. */
export function between(one: string, other: string): string {
  const [first, second] = [channelsOf(one), channelsOf(other)]
  return toHex(first.map((channel, at) => (channel + (second[at] ?? 0)) / 2))
}

export function translucent(color: string, percent: number): string {
  return `rgb(${channelsOf(color).join(' ')} / ${percent}%)`
}
