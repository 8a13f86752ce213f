import { use } from 'react'
import { useSession } from '../session/session.ts'
import { TitleContext } from '../title.ts'

/** The document's title: "screen – app name". */
export function PageTitle({ children }: { children: string }) {
  const { settings } = useSession()
  return <title>{`${use(TitleContext) ?? children} – ${settings['general.appName']}`}</title>
}
