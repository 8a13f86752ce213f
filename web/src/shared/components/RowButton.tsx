import classes from './RowButton.module.css'

/** Icons of Tabler, each drawn in one stroke of the pen. */
const drawings = {
  cancel: 'M18 6l-12 12M6 6l12 12',
  copyLink:
    'M9 15l6 -6M11 6l.463 -.536a5 5 0 0 1 7.071 7.072l-.534 .464M13 18l-.397 .534a5.068 5.068 0 0 1 -7.127 0a4.972 4.972 0 0 1 0 -7.071l.524 -.463',
  details: 'M3 12a9 9 0 1 0 18 0a9 9 0 0 0 -18 0M12 9h.01M11 12h1v4h1',
  download: 'M4 17v2a2 2 0 0 0 2 2h12a2 2 0 0 0 2 -2v-2M7 11l5 5l5 -5M12 4l0 12',
  edit: 'M4 20h4l10.5 -10.5a2.828 2.828 0 1 0 -4 -4l-10.5 10.5v4M13.5 6.5l4 4',
  pause:
    'M6 6a1 1 0 0 1 1 -1h2a1 1 0 0 1 1 1v12a1 1 0 0 1 -1 1h-2a1 1 0 0 1 -1 -1zM14 6a1 1 0 0 1 1 -1h2a1 1 0 0 1 1 1v12a1 1 0 0 1 -1 1h-2a1 1 0 0 1 -1 -1z',
  preview:
    'M10 12a2 2 0 1 0 4 0a2 2 0 0 0 -4 0M21 12c-2.4 4 -5.4 6 -9 6c-3.6 0 -6.6 -2 -9 -6c2.4 -4 5.4 -6 9 -6c3.6 0 6.6 2 9 6',
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
      <Drawing icon={icon} />
    </button>
  )
}

/** The same for what is saved to a file. */
interface RowDownloadProps {
  label: string
  address: string
  /** Unless the browser is told by the response alone. */
  download?: boolean | undefined
}

export function RowDownload({ label, address, download = true }: RowDownloadProps) {
  return (
    <a
      className={classes.button}
      href={address}
      download={download}
      aria-label={label}
      title={label}
      data-accented
      data-filled
    >
      <Drawing icon="download" />
    </a>
  )
}

function Drawing({ icon }: { icon: RowIcon }) {
  return (
    <svg className={classes.icon} viewBox="0 0 24 24" aria-hidden="true">
      <path d={drawings[icon]} />
    </svg>
  )
}
