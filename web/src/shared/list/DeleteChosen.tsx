import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

/** Deletes the chosen shares of a list; absent while none is. */
export function DeleteChosen({ count, onClick }: { count: number; onClick: () => void }) {
  const { t } = useTranslation()
  if (count === 0) return null
  return (
    <Button color="red" variant="light" leftSection={<IconTrash size={17} />} onClick={onClick}>
      {t('admin.shares.deleteChosen', { count })}
    </Button>
  )
}
