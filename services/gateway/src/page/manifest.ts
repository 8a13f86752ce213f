interface Icon {
  src: string
}

interface Manifest {
  icons: Icon[]
  shortcuts?: { icons: Icon[] }[]
}

/** The web manifest as it was built, with the name of this site and the addresses of its icons. */
export function renderManifest(
  template: Buffer,
  { appName, logoTag }: { appName: string; logoTag: string },
): Buffer {
  const manifest = JSON.parse(template.toString()) as Manifest
  const renew = (icons: Icon[]) =>
    icons.map((icon) => ({ ...icon, src: `${icon.src}?v=${logoTag}` }))
  const { shortcuts = [] } = manifest
  const rendered = {
    ...manifest,
    name: appName,
    short_name: appName,
    icons: renew(manifest.icons),
    shortcuts: shortcuts.map((shortcut) => ({ ...shortcut, icons: renew(shortcut.icons) })),
  }
  return Buffer.from(JSON.stringify(rendered))
}
