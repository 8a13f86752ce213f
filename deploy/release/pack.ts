import { basename } from 'node:path'
import { run } from './command.ts'

const compressors = {
  // One thread, since more of them would cut the content in pieces.
  '.tar.xz': 'xz -6 --threads=1',
  '.tar.gz': 'gzip -9 --no-name',
  '.tgz': 'gzip -9 --no-name',
}

interface Packing {
  /** Where what is packed lies. */
  cwd: string
  /** Files and folders below it. */
  paths: readonly string[]
  /** Of everything in it, since 1970. */
  seconds?: number
}

/**
 * Packs files so that the same content makes the same bytes: names in order, everything of the time of
 * the commit, owned by root, and readable by all.
 */
export function pack(archive: string, { cwd, paths, seconds }: Packing): void {
  const ending = Object.keys(compressors).find((one) => archive.endsWith(one))
  if (ending === undefined) throw new Error(`${archive} ends like no archive`)
  run(
    'tar',
    [
      ...['--create', '--file', archive, '--format=gnu', '--sort=name'],
      ...['--owner=root:0', '--group=root:0', '--numeric-owner', '--hard-dereference'],
      ...['--mode=u=rwX,go=rX', `--mtime=@${seconds ?? commitSeconds()}`],
      ...['--use-compress-program', compressors[ending as keyof typeof compressors]],
      ...paths,
    ],
    { cwd, env: { LC_ALL: 'C' } },
  )
  console.log(basename(archive))
}

/** When what is checked out was committed, unless SOURCE_DATE_EPOCH says otherwise. */
export function commitSeconds(): number {
  const given = process.env['SOURCE_DATE_EPOCH']
  return Number(given ?? run('git', ['log', '-1', '--format=%ct']).trim())
}
