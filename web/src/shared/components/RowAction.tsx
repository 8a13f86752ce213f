import { ActionIcon } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import { PageLink } from './PageLink.tsx'

type RowActionProps = {
  icon: Icon
  label: string
  isDangerous?: boolean
} & ({ to: string } | { onClick: () => void })

/** An icon at the end of a row: it leads to a page, or does something to what the row shows. */
export function RowAction({ icon: Icon, label, isDangerous = false, ...target }: RowActionProps) {
  const look = {
    variant: 'subtle',
    size: 'lg',
    'aria-label': label,
    title: label,
    ...(isDangerous && { color: 'red' }),
  }
  return 'to' in target ? (
    <ActionIcon component={PageLink} to={target.to} {...look}>
      <Icon size={18} />
    </ActionIcon>
  ) : (
    <ActionIcon onClick={target.onClick} {...look}>
      <Icon size={18} />
    </ActionIcon>
  )
}
