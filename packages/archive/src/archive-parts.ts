import { pathParts } from '@floe/contracts'

interface Named {
  name: string
}

/** `folder` is what everything in the archive lay in, and nothing in its names says any more. */
export interface ArchivedPart<F> {
  files: readonly F[]
  folder: string | null
}

/** What lies in a folder, however deep; the folder is not repeated in its names. */
export function partInFolder<F extends Named>(
  listed: readonly F[],
  folder: string,
): ArchivedPart<F> {
  const parts = pathParts(folder)
  return without(parts, parts.length === 0 ? [] : listed.filter(liesIn(parts)))
}

/** Files that somebody chose, without the folders that all of them lie in. */
export function partOfChosen<F extends Named>(chosen: readonly F[]): ArchivedPart<F> {
  return without(commonFolder(chosen), chosen)
}

function without<F extends Named>(folder: readonly string[], files: readonly F[]) {
  return {
    files: files.map((file) => ({
      ...file,
      name: pathParts(file.name).slice(folder.length).join('/') || file.name,
    })),
    folder: folder.at(-1) ?? null,
  }
}

function liesIn(folder: readonly string[]): (file: Named) => boolean {
  return ({ name }) => {
    const parts = pathParts(name)
    return parts.length > folder.length && folder.every((part, depth) => parts[depth] === part)
  }
}

function commonFolder(files: readonly Named[]): string[] {
  const [first = [], ...others] = files.map(({ name }) => pathParts(name).slice(0, -1))
  const depth = first.findIndex((part, at) => others.some((parts) => parts[at] !== part))
  return depth === -1 ? first : first.slice(0, depth)
}
