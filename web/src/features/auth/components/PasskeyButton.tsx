import { Button } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'

interface PasskeyButtonProps {
  label: string
  isBusy: boolean
  /** There is no other way on the page. */
  isMain?: boolean
  signIn: () => void
}

export function PasskeyButton({ label, isBusy, isMain = false, signIn }: PasskeyButtonProps) {
  return (
    <Button
      variant={isMain ? 'filled' : 'default'}
      fullWidth
      loading={isBusy}
      leftSection={<IconFingerprint size={19} stroke={1.7} aria-hidden="true" />}
      onClick={signIn}
    >
      {label}
    </Button>
  )
}
