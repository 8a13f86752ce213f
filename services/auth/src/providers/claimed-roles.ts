import { search } from 'jmespath'

/**
 * The roles that claims name at a path (JMESPath): one text, or those of a list. What is missing,
 * or of another kind, names none.
 */
export function readRoles(claims: Readonly<Record<string, unknown>>, path: string): string[] {
  const found = evaluate(claims, path)
  const list: unknown[] = Array.isArray(found) ? found : [found]
  return list.filter((role): role is string => typeof role === 'string')
}

function evaluate(claims: Readonly<Record<string, unknown>>, path: string): unknown {
  try {
    return search(claims, path)
  } catch {
    // Functions refuse what is not there: `contains(groups, 'x')` without groups.
    return null
  }
}
