import { IconFolder, IconInbox } from '@tabler/icons-react'
import { countFiles, type OwnReverseShare, type OwnShare } from '@floe/contracts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useHttp } from '../../shared/api/http-context.ts'
import { fetchOwnReverseShares } from '../../shared/api/own-reverse-shares.ts'
import { fetchOwnShares } from '../../shared/api/own-shares.ts'
import { paths } from '../../shared/paths.ts'
import { queryKeys } from '../../shared/query-keys.ts'
import { useSession } from '../../shared/session/session.ts'
import { describeShare } from '../../shared/share/describe-share.ts'
import type { Entry } from './entry.ts'

/** So many of the latest shares are there before anything is typed. */
const OFFERED_SHARES = 5

/** The shares and reverse shares of this person, once they have come. */
export function useShareEntries(): Entry[] {
  const { t } = useTranslation()
  const http = useHttp()
  const { user } = useSession()
  const enabled = user !== null
  const { data: shares = [] } = useQuery({
    queryKey: queryKeys.ownShares,
    queryFn: () => fetchOwnShares(http),
    enabled,
  })
  const { data: reverseShares = [] } = useQuery({
    queryKey: queryKeys.ownReverseShares,
    queryFn: () => fetchOwnReverseShares(http),
    enabled,
  })

  const toEntry = (share: OwnShare, index: number): Entry => {
    const { id, name, description, files, keptUntil, encrypted = false } = share
    const fileNames = encrypted ? null : files.map((file) => file.name)
    const fileCount = countFiles(files.length, encrypted)
    const known = { name, sender: null, fileCount, fileNames }
    return {
      ...{ id: `share ${id}`, group: 'shares', icon: IconFolder },
      // The link of an expired one leads nowhere.
      act: keptUntil ? paths.editShare(id) : paths.share(id),
      label: describeShare(known, t).heading,
      detail: id,
      keywords: description ?? '',
      isOffered: index < OFFERED_SHARES,
    }
  }
  return [...shares.toSorted(byAge).map(toEntry), ...reverseShares.flatMap(toReverseEntries)]
}

const byAge = (a: OwnShare, b: OwnShare) => Date.parse(b.createdAt) - Date.parse(a.createdAt)

/** Its link, and what has come through it. */
function toReverseEntries({ token, name, shares }: OwnReverseShare): Entry[] {
  const link: Entry = {
    ...{ id: `reverse share ${token}`, group: 'reverseShares', icon: IconInbox, isOffered: false },
    label: name ?? token,
    detail: token,
    act: paths.reverseShareLink(token),
  }
  const open = shares.filter(({ keptUntil }) => !keptUntil)
  const received = open.map((share): Entry => ({
    ...{ id: `share ${share.id}`, group: 'reverseShares', icon: IconFolder, isOffered: false },
    label: share.name ?? share.id,
    detail: link.label,
    keywords: `${share.id} ${share.description ?? ''}`,
    act: paths.share(share.id),
  }))
  return [link, ...received]
}
