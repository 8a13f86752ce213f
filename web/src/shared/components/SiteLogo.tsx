import { useSession } from '../session/session.ts'

/** The logo of this site, in a file that is large enough and no larger. */
export function SiteLogo({
  edge,
  alt,
  className,
}: {
  /** Pixels of the page, as wide as high. */
  edge: number
  alt: string
  className?: string | undefined
}) {
  const { logo } = useSession()
  const tag = logo === null ? '' : `?v=${logo}`
  const sources = [48, 72, 144, 192, 384]
    .map((pixels) => `/img/icons/icon-${pixels}x${pixels}.png${tag} ${pixels}w`)
    .join(', ')
  return (
    <img
      src={`/img/logo.png${tag}`}
      srcSet={sources}
      sizes={`${edge}px`}
      alt={alt}
      width={edge}
      height={edge}
      className={className}
    />
  )
}
