import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { commands } from './index.ts'
import { createStore } from '../settings.ts'
import { createTerminal } from '../terminal.ts'

async function printed(shell: string): Promise<string> {
  const lines: string[] = []
  const terminal = createTerminal({ isJson: false, isQuiet: true, env: {} })
  await commands['completion']?.run({
    positionals: [shell],
    given: { text: () => undefined, is: () => false },
    store: createStore({}),
    terminal: { ...terminal, print: (line) => lines.push(line) },
    env: {},
  })
  return lines.join('\n')
}

test('bash completes commands and their options', async () => {
  const script = `${await printed('bash')}
COMP_WORDS=(floe se) COMP_CWORD=1; _floe; echo "\${COMPREPLY[@]}"
COMP_WORDS=(floe send --ex) COMP_CWORD=2; _floe; echo "\${COMPREPLY[@]}"`
  const said = execFileSync('bash', ['-c', script], { encoding: 'utf8' })
  expect(said).toBe('send\n--expires\n')
})

test.each(['zsh', 'fish'])('%s is told every command', async (shell) => {
  const script = await printed(shell)
  for (const name of ['send', 'get', 'login']) expect(script).toContain(name)
})
