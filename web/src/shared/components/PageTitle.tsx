import { useSession } from '../session/session.ts'

/** The document's title: "screen – app name". */
export function PageTitle({ children }: { children: string }) {
  const { settings } = useSession()
  return <title>{`${children} – ${settings['general.appName']}`}</title>
}
