import { pagePath } from '@floe/contracts'
import { shareTargetPath } from '../features/upload/share-target/path.ts'
import { canvas } from './theme.ts'

interface ManifestTexts {
  locale: string
  upload: string
  myShares: string
}

const icon = (size: number) => ({
  src: `/img/icons/icon-${size}x${size}.png`,
  sizes: `${size}x${size}`,
  type: 'image/png',
})

/**
 * What the site is when it is installed. The gateway adds the name of the site and the version of
 * the icons.
 */
export function createManifest({ locale, upload, myShares }: ManifestTexts) {
  const shortcut = (name: string, url: string) => ({ name, url, icons: [icon(96)] })
  return {
    id: '/',
    name: 'Floe',
    short_name: 'Floe',
    lang: locale,
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: canvas.light,
    theme_color: canvas.light,
    categories: ['productivity', 'utilities'],
    icons: [
      ...[48, 72, 96, 128, 144, 152, 192, 384, 512].map(icon),
      {
        src: '/img/icons/icon-maskable-512x512.png',
        sizes: '512x512',
        type: 'image/png',
        purpose: 'maskable',
      },
    ],
    shortcuts: [shortcut(upload, pagePath('upload')), shortcut(myShares, pagePath('myShares'))],
    share_target: {
      action: shareTargetPath,
      method: 'POST',
      enctype: 'multipart/form-data',
      params: {
        title: 'title',
        text: 'text',
        url: 'url',
        files: [{ name: 'files', accept: ['*/*'] }],
      },
    },
  }
}
