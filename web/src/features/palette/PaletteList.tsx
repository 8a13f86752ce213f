import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { EntryGroup } from './arrange-entries.ts'
import type { Entry, Group } from './entry.ts'
import classes from './PaletteList.module.css'

const headings = {
  actions: 'palette.actions',
  pages: 'palette.pages',
  shares: 'myShares.title',
  reverseShares: 'reverseShares.title',
  configuration: 'admin.configuration',
  appearance: 'account.appearance.title',
  language: 'nav.language',
  search: 'shortcuts.search',
} as const satisfies Record<Group, string>

interface PaletteListProps {
  id: string
  groups: readonly EntryGroup[]
  active: Entry | undefined
  idOf: (entry: Entry) => string
  /** The pointer is on it. */
  onPoint: (id: string) => void
  onChoose: (entry: Entry) => void
}

/** Entries under the headings of their groups. */
export function PaletteList({ id, groups, active, ...others }: PaletteListProps) {
  const { t } = useTranslation()
  return (
    <>
      <div id={id} role="listbox" aria-label={t('nav.palette')} className={classes.list}>
        {groups.map(({ name, entries }) => (
          <div key={name} role="group" aria-labelledby={`${id}-${name}`}>
            <div id={`${id}-${name}`} className={classes.heading}>
              {t(headings[name])}
            </div>
            {entries.map((entry) => (
              <Option key={entry.id} entry={entry} isActive={entry === active} {...others} />
            ))}
          </div>
        ))}
      </div>
      <div role="status" className={classes.none}>
        {groups.length === 0 && t('admin.list.none')}
      </div>
    </>
  )
}

interface OptionProps extends Pick<PaletteListProps, 'idOf' | 'onPoint' | 'onChoose'> {
  entry: Entry
  isActive: boolean
}

function Option({ entry, isActive, idOf, onPoint, onChoose }: OptionProps) {
  const { label, detail, icon: Icon } = entry
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isActive) element.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    <div
      ref={element}
      id={idOf(entry)}
      role="option"
      aria-selected={isActive}
      className={classes.option}
      // Not when the list moves under a pointer that rests.
      onPointerMove={() => onPoint(entry.id)}
      onClick={() => onChoose(entry)}
    >
      <Icon className={classes.icon} size={18} stroke={1.7} aria-hidden="true" />
      <span className={classes.label}>
        <bdi>{label}</bdi>
      </span>
      {detail !== undefined && (
        <span className={classes.detail}>
          <bdi>{detail}</bdi>
        </span>
      )}
    </div>
  )
}
