import { Checkbox } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface ChooseAllProps {
  /** Of the rows that are shown. */
  ids: readonly string[]
  chosen: ReadonlySet<string>
  onChoose: (chosen: ReadonlySet<string>) => void
}

/** Chooses every row of a list, or none. */
export function ChooseAll({ ids, chosen, onChoose }: ChooseAllProps) {
  const { t } = useTranslation()
  const isEveryChosen = ids.every((id) => chosen.has(id))
  return (
    <Checkbox
      aria-label={t('admin.shares.chooseAll')}
      checked={isEveryChosen}
      indeterminate={!isEveryChosen && ids.some((id) => chosen.has(id))}
      onChange={() => onChoose(new Set(isEveryChosen ? [] : ids))}
    />
  )
}

/** What is chosen once one row was ticked or cleared. */
export function withChoice(
  chosen: ReadonlySet<string>,
  id: string,
  isChosen: boolean,
): ReadonlySet<string> {
  const next = new Set(chosen)
  if (isChosen) next.add(id)
  else next.delete(id)
  return next
}
