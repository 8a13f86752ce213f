/** The web manifest as it was built, with the name of this site and the addresses of its icons. */
export function renderManifest(
  template: Buffer,
  { appName, logoTag }: { appName: string; logoTag: string },
): Buffer {
  const manifest = JSON.parse(template.toString()) as { icons: { src: string }[] }
  const icons = manifest.icons.map((icon) => ({ ...icon, src: `${icon.src}?v=${logoTag}` }))
  return Buffer.from(JSON.stringify({ ...manifest, name: appName, short_name: appName, icons }))
}
