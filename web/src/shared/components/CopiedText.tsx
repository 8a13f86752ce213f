import { Textarea } from '@mantine/core'
import { CopyButton } from './CopyButton.tsx'
import classes from './CopiedText.module.css'

/** Text for other programs: all of it is chosen with a press, and copied with another. */
export function CopiedText({
  label,
  copyLabel,
  text,
}: {
  label: string
  copyLabel: string
  text: string
}) {
  return (
    <Textarea
      label={label}
      value={text}
      readOnly
      rows={2}
      dir="ltr"
      classNames={{ input: classes.input }}
      onFocus={(event) => event.currentTarget.select()}
      rightSectionWidth={44}
      rightSection={<CopyButton label={copyLabel} text={text} />}
    />
  )
}
