import { Skeleton, Stack } from '@mantine/core'

/** Stands in for the rows of a list that is on its way. */
export function RowsSkeleton() {
  return (
    <Stack gap={10} aria-hidden="true">
      {Array.from({ length: 5 }, (_, row) => (
        <Skeleton key={row} height={52} radius="md" />
      ))}
    </Stack>
  )
}
