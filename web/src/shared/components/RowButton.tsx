import classes from './RowButton.module.css'

/** Icons of Tabler, each drawn in one stroke of the pen. */
const drawings = {
  cancel: 'M18 6l-12 12M6 6l12 12',
  details: 'M3 12a9 9 0 1 0 18 0a9 9 0 0 0 -18 0M12 9h.01M11 12h1v4h1',
  pause:
    'M6 6a1 1 0 0 1 1 -1h2a1 1 0 0 1 1 1v12a1 1 0 0 1 -1 1h-2a1 1 0 0 1 -1 -1zM14 6a1 1 0 0 1 1 -1h2a1 1 0 0 1 1 1v12a1 1 0 0 1 -1 1h-2a1 1 0 0 1 -1 -1z',
  remove:
    'M4 7h16M10 11v6M14 11v6M5 7l1 12a2 2 0 0 0 2 2h8a2 2 0 0 0 2 -2l1 -12M9 7v-3a1 1 0 0 1 1 -1h4a1 1 0 0 1 1 1v3',
  restore: 'M9 14l-4 -4l4 -4M5 10h11a4 4 0 1 1 0 8h-1',
  resume: 'M7 4v16l13 -8z',
  retry: 'M20 11a8.1 8.1 0 0 0 -15.5 -2m-.5 -4v4h4M4 13a8.1 8.1 0 0 0 15.5 2m.5 4v-4h-4',
}

type RowIcon = keyof typeof drawings

interface RowButtonProps {
  icon: RowIcon
  label: string
  onClick: () => void
  /** Stands out where the row shows that something will happen to it. */
  isAccented?: boolean
}

/**
 * The icon button of rows that come while a long list scrolls: three elements, where Mantine's with
 * an icon of Tabler takes up to eight and as many times as long to draw.
 */
export function RowButton({ icon, label, onClick, isAccented }: RowButtonProps) {
  return (
    <button
      type="button"
      className={classes.button}
      aria-label={label}
      title={label}
      data-accented={isAccented || undefined}
      onClick={onClick}
    >
      <svg className={classes.icon} viewBox="0 0 24 24" aria-hidden="true">
        <path d={drawings[icon]} />
      </svg>
    </button>
  )
}
