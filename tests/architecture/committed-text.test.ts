import { expect, test } from 'vitest'
import { listCommitted, read } from './repository.ts'

const texts = listCommitted().filter(
  (path) => !/\.(?:png|jpe?g|gif|webp|avif|ico|woff2?|ttf|zip|pdf|gz|br)$/i.test(path),
)

function linesWith(pattern: RegExp): string[] {
  return texts.flatMap((path) =>
    read(path)
      .split('\n')
      .flatMap((line, index) =>
        pattern.test(line) ? [`${path}:${index + 1}: ${line.trim().slice(0, 120)}`] : [],
      ),
  )
}

// The patterns are written so that they do not find themselves.

/** A lock file or a script that names one breaks wherever another registry is in use. */
test('no file names the host of a package registry', () => {
  const hosts = /registry[.]npmjs[.]org|registry[.]yarnpkg[.]com|npm[.]pkg[.]github[.]com/
  expect(linesWith(hosts)).toEqual([])
  expect(linesWith(/https?:\/\/[^\s"']+\/-\/[^\s"']+[.]tgz/)).toEqual([])
})

test('no file names a folder of the machine it was written on', () => {
  const found = linesWith(
    /(?:^|[\s"'`=(:])(?:file:\/\/)?\/(?:[w]ork\/|[r]oot\/|[h]ome\/[a-z]|[U]sers\/[A-Za-z])/,
  )
  // What containers have inside them is the same on every machine.
  expect(found.filter((line) => !/^(?:deploy|k8s)\//.test(line))).toEqual([])
})
