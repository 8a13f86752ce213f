import { shellWord } from '@floe/contracts'
import { type Command, commonOptions } from '../command.ts'
import { UsageError } from '../failures.ts'

type Commands = Readonly<Record<string, Command>>

export function createCompletion(commands: Commands): Command {
  const shells: Record<string, (commands: Commands) => string> = {
    bash: completeBash,
    zsh: completeZsh,
    fish: completeFish,
  }
  return {
    usage: 'completion SHELL',
    summary: 'Print what completes commands in bash, zsh or fish',
    options: {},
    async run({ positionals: [shell = ''], terminal }) {
      const render = shells[shell]
      if (!render) throw new UsageError(`Say which shell: ${Object.keys(shells).join(', ')}.`)
      if (terminal.isJson) throw new UsageError('What completes commands is no JSON.')
      terminal.print(render(commands))
    },
  }
}

function optionsOf({ options }: Command): string[] {
  return Object.keys({ ...options, ...commonOptions }).map((name) => `--${name}`)
}

function completeBash(commands: Commands): string {
  const cases = Object.entries(commands).map(
    ([name, command]) => `    ${name}) words='${optionsOf(command).join(' ')}' ;;`,
  )
  return `# floe completion bash > ~/.local/share/bash-completion/completions/floe
_floe() {
  local current=\${COMP_WORDS[COMP_CWORD]} words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W '${Object.keys(commands).join(' ')}' -- "$current")
    return
  fi
  case \${COMP_WORDS[1]} in
${cases.join('\n')}
  esac
  case $current in
    -*) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current") ;;
  esac
}
complete -o default -F _floe floe`
}

function completeZsh(commands: Commands): string {
  const names = Object.entries(commands).map(
    ([name, { summary }]) => `    ${shellWord(`${name}:${summary}`)}`,
  )
  const cases = Object.entries(commands).map(([name, command]) => {
    const rows = Object.entries({ ...command.options, ...commonOptions })
    const specs = rows.map(([option, { help, type }]) => {
      const value = type === 'string' ? ':value:_files' : ''
      return shellWord(`--${option}[${help.replaceAll(/[[\]:]/g, ' ')}]${value}`)
    })
    return `    ${name}) _arguments ${specs.join(' ')} '*:file:_files' ;;`
  })
  return `#compdef floe
# floe completion zsh > "\${fpath[1]}/_floe"
_floe() {
  local -a commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=\${words[2]}
  shift words
  (( CURRENT -= 1 ))
  case $command in
${cases.join('\n')}
  esac
}
compdef _floe floe`
}

function completeFish(commands: Commands): string {
  const names = Object.entries(commands).map(
    ([name, { summary }]) =>
      `complete -c floe -n __fish_use_subcommand -f -a ${name} -d ${shellWord(summary)}`,
  )
  const options = Object.entries(commands).flatMap(([name, command]) =>
    Object.entries({ ...command.options, ...commonOptions }).map(
      ([option, { help, short, type }]) => {
        const flags = `-l ${option}${short ? ` -s ${short}` : ''}${type === 'string' ? ' -r' : ''}`
        return `complete -c floe -n '__fish_seen_subcommand_from ${name}' ${flags} -d ${shellWord(help)}`
      },
    ),
  )
  return [
    '# floe completion fish > ~/.config/fish/completions/floe.fish',
    ...names,
    ...options,
  ].join('\n')
}
