import { use, useEffect } from 'react'
import { useSession } from '../session/session.ts'
import { PageNewsContext, TitleContext } from '../title.ts'

/** The document's title: "screen – app name". */
export function PageTitle({ children }: { children: string }) {
  const { settings } = useSession()
  const tell = use(PageNewsContext)
  useEffect(() => tell(children), [tell, children])
  return <title>{`${use(TitleContext) ?? children} – ${settings['general.appName']}`}</title>
}
