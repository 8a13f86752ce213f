import { useMergedRef } from '@mantine/hooks'
import type { ComponentPropsWithRef } from 'react'
import { Link } from 'react-router'
import { usePrefetch } from '../prefetch.ts'

interface PageLinkProps extends Omit<ComponentPropsWithRef<'a'>, 'href'> {
  to: string
  replace?: boolean
}

/** A link to a page of this site that fetches the page's chunk when it comes near. */
export function PageLink({ to, ref, ...others }: PageLinkProps) {
  const merged = useMergedRef(usePrefetch(to), ref)
  return <Link ref={merged} to={to} {...others} />
}
