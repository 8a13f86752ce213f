import { darkIconPath, type LogoVariant } from '@floe/contracts'
import { useSession } from '../session/session.ts'
import { useColorScheme } from '../session/use-color-scheme.ts'
import classes from './SiteLogo.module.css'

interface SiteLogoProps {
  /** Pixels of the page, as wide as high. */
  edge: number
  alt: string
  className?: string | undefined
}

/**
 * The logo of this site for the colors of the page, in a file that is large enough and no larger.
 * Only the one that shows is loaded.
 */
export function SiteLogo(props: SiteLogoProps) {
  const { logos } = useSession()
  const scheme = useColorScheme()
  const { srcSet } = useLogoAddresses('dark')
  if (logos.dark === null) return <LogoImage variant="light" {...props} />
  if (scheme !== 'system') return <LogoImage variant={scheme} {...props} />
  return (
    <picture className={classes.picture}>
      <source media="(prefers-color-scheme: dark)" srcSet={srcSet} sizes={`${props.edge}px`} />
      <LogoImage variant="light" {...props} />
    </picture>
  )
}

/** One of them, whatever the colors; the usual one where there is none for dark pages. */
export function LogoImage({
  variant,
  edge,
  alt,
  className,
}: SiteLogoProps & { variant: LogoVariant }) {
  const { src, srcSet } = useLogoAddresses(variant)
  return (
    <img
      src={src}
      srcSet={srcSet}
      sizes={`${edge}px`}
      alt={alt}
      width={edge}
      height={edge}
      className={className}
    />
  )
}

function useLogoAddresses(variant: LogoVariant) {
  const { logos } = useSession()
  const isDark = variant === 'dark' && logos.dark !== null
  const version = isDark ? logos.dark : logos.light
  const tag = version === null ? '' : `?v=${version}`
  const address = (path: string) => `${isDark ? darkIconPath(path) : path}${tag}`
  const srcSet = [48, 72, 144, 192, 384]
    .map((pixels) => `${address(`/img/icons/icon-${pixels}x${pixels}.png`)} ${pixels}w`)
    .join(', ')
  return { src: address('/img/logo.png'), srcSet }
}
