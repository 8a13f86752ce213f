import type { Icon } from '@tabler/icons-react'
import { PageLink } from './PageLink.tsx'
import classes from './RowButton.module.css'

type RowActionProps = {
  icon: Icon
  label: string
  isDangerous?: boolean
} & ({ to: string } | { onClick: () => void })

/** An icon at the end of a row: it leads to a page, or does something to what the row shows. */
export function RowAction({ icon: Icon, label, isDangerous = false, ...target }: RowActionProps) {
  const look = {
    className: classes.button,
    'aria-label': label,
    title: label,
    ...(isDangerous ? { 'data-dangerous': true } : { 'data-accented': true }),
  }
  return 'to' in target ? (
    <PageLink to={target.to} {...look}>
      <Icon size={18} />
    </PageLink>
  ) : (
    <button type="button" onClick={target.onClick} {...look}>
      <Icon size={18} />
    </button>
  )
}
