import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '../lazy-part.ts'

const ReviveDialog = lazyPart(
  () => import('./ReviveDialog.tsx'),
  ({ ReviveDialog }) => ReviveDialog,
)

interface ReviveButtonProps {
  share: { id: string; name: string | null }
}

/** Gives an expired share whose files are kept a new end. */
export function ReviveButton({ share }: ReviveButtonProps) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        variant="light"
        size="xs"
        leftSection={<IconRefresh size={16} />}
        aria-label={t('myShares.kept.actionOn', { name: share.name ?? share.id })}
        onClick={() => setIsOpen(true)}
      >
        {t('myShares.kept.action')}
      </Button>
      {isOpen && (
        <Suspense>
          <ReviveDialog share={share} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
