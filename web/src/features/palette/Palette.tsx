import { CloseButton, Modal } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../shared/components/Dialog.tsx'
import { useGo } from '../../shared/leave/use-go.ts'
import type { Entry } from './entry.ts'
import classes from './Palette.module.css'
import { PaletteList } from './PaletteList.tsx'
import { type Entries, useEntries } from './use-entries.ts'
import { usePaletteList } from './use-palette-list.ts'

export interface PaletteProps {
  onClose: () => void
}

/** Reaches every page, share, setting and action by its name. */
export function Palette({ onClose }: PaletteProps) {
  return (
    <Dialog
      opened
      onClose={onClose}
      // Where it came from gets the focus back at once, before what was chosen takes it.
      returnFocus={false}
      withCloseButton={false}
      centered={false}
      yOffset="10dvh"
      size="lg"
      padding={0}
    >
      <Contents onClose={onClose} />
    </Dialog>
  )
}

function Contents({ onClose }: PaletteProps) {
  const entries = useEntries()
  return <Search entries={entries} onClose={onClose} />
}

interface SearchProps extends PaletteProps {
  entries: Entries
}

function Search({ entries, onClose }: SearchProps) {
  const { t } = useTranslation()
  const go = useGo()
  const choose = ({ act }: Entry) => {
    onClose()
    if (typeof act === 'string') go(act)
    else act()
  }
  const { groups, active, setActive, idOf, listId, field } = usePaletteList(entries, choose)

  return (
    <>
      <Modal.Title className={classes.title ?? ''}>{t('nav.palette')}</Modal.Title>
      <div className={classes.head}>
        <IconSearch className={classes.search} size={18} aria-hidden="true" />
        <input
          {...field}
          className={classes.field}
          data-autofocus
          aria-label={t('nav.palette')}
          placeholder={t('nav.palette')}
        />
        <CloseButton aria-label={t('common.close')} onClick={onClose} />
      </div>
      <PaletteList
        id={listId}
        groups={groups}
        active={active}
        idOf={idOf}
        onPoint={setActive}
        onChoose={choose}
      />
    </>
  )
}
