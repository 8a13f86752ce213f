import { Text } from '@mantine/core'
import { Art } from '../art/Art.tsx'
import classes from './FileDrop.module.css'

interface DropInvitationProps {
  title: string
  hint: string
  compact?: boolean
}

/** Says what the place for files takes. */
export function DropInvitation({ title, hint, compact = false }: DropInvitationProps) {
  return (
    <>
      {!compact && <Art scene="drop" />}
      <Text component="h2" className={classes.title}>
        {title}
      </Text>
      <Text c="dimmed" size="sm" maw={420} className={classes.hint}>
        {hint}
      </Text>
    </>
  )
}

/** The place for files as it looks until the application takes some. */
export function DropPreview(props: DropInvitationProps) {
  return (
    <div className={`${classes.zone} ${classes.preview}`}>
      <div className={classes.content}>
        <DropInvitation {...props} />
      </div>
    </div>
  )
}
