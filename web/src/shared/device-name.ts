/** What a user agent says about itself, as people say it. */
export interface Device {
  /** A browser or another program; `null` for an agent that does not say. */
  program: string | null
  system: string | null
  isHandheld: boolean
}

type Pattern = readonly [RegExp, string]

// Each browser also claims to be those below it.
const programs: readonly Pattern[] = [
  [/\b(?:Edg|EdgA|EdgiOS)\//, 'Edge'],
  [/\b(?:OPR|OPX|OPT)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
]

const systems: readonly Pattern[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]

export function readDevice(userAgent: string): Device {
  const system = nameIn(systems, userAgent)
  return {
    // `curl/8.5.0`: what is no browser begins with its own name.
    program: nameIn(programs, userAgent) ?? ownName(userAgent),
    system,
    isHandheld: system === 'iPhone' || system === 'iPad' || system === 'Android',
  }
}

function nameIn(patterns: readonly Pattern[], userAgent: string): string | null {
  return patterns.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null
}

function ownName(userAgent: string): string | null {
  const name = /^([A-Za-z][\w.-]{0,39})(?:\/|$)/.exec(userAgent)?.[1]
  return name === undefined || name === 'Mozilla' ? null : name
}
