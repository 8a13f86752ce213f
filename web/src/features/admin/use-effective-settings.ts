import { configCatalogue, type ConfigKey, type Settings } from '@floe/contracts'
import { useQueries } from '@tanstack/react-query'
import { useHttp } from '../../shared/api/http-context.ts'
import { queryKeys } from '../../shared/query-keys.ts'
import { type Category, categoryOf } from '../../shared/settings/setting-places.ts'
import { fetchAdminConfig } from './api/admin-config.ts'
import { toFields } from './config-fields.ts'

/** What these settings are, those that only administrators read too; `null` until all are known. */
export function useEffectiveSettings<K extends ConfigKey>(
  keys: readonly K[],
): { settings: Pick<Settings, K> | null; error: Error | null } {
  const http = useHttp()
  const categories = [...new Set(keys.map(categoryOf))].filter(isKnown)
  const results = useQueries({
    queries: categories.map((category) => ({
      queryKey: queryKeys.adminConfig(category),
      queryFn: () => fetchAdminConfig(http, category),
      gcTime: 0,
      staleTime: 0,
    })),
  })
  const fields = toFields(results.flatMap(({ data }) => data ?? []))
  const isComplete = results.every(({ data }) => data !== undefined)
  const known = new Map(fields.map(({ key, initial }) => [key, initial]))
  const settings = Object.fromEntries(
    keys.map((key) => [key, known.get(key) ?? configCatalogue[key].default]),
  ) as Pick<Settings, K>
  return {
    settings: isComplete ? settings : null,
    error: results.find(({ error }) => error)?.error ?? null,
  }
}

function isKnown(category: Category | null): category is Category {
  return category !== null
}
