import { Skeleton, Stack } from '@mantine/core'
import { Page } from '../shared/components/Page.tsx'

/** Stands in for a page whose chunk is on its way. */
export function PageSkeleton() {
  return (
    <Page>
      <Stack gap="md" aria-hidden="true">
        <Skeleton height={32} width="40%" />
        <Skeleton height={16} width="65%" />
        <Skeleton height={180} radius="lg" mt="md" />
      </Stack>
    </Page>
  )
}
