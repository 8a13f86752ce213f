import { Skeleton, Stack } from '@mantine/core'

/** Where a share is going to stand. */
export function ContentsSkeleton() {
  return (
    <Stack gap="sm" aria-hidden="true">
      <Skeleton height={34} width="45%" />
      <Skeleton height={16} width="30%" />
      <Stack gap={10} mt="lg">
        {Array.from({ length: 5 }, (_, row) => (
          <Skeleton key={row} height={44} radius="md" />
        ))}
      </Stack>
    </Stack>
  )
}
