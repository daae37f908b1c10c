import { ALL_SETTINGS } from '../config/settings.ts'
import { AppError } from '../errors.ts'
import type { Command, Group } from './command.ts'
import { COMMON_FLAGS } from './command.ts'

/** What may follow some words: by the words that lead there, joined with spaces; `''` for none. */
type Words = Readonly<Record<string, readonly string[]>>

const SHELLS: Readonly<Record<string, (words: Words) => string>> = {
  bash: bashScript,
  fish: fishScript,
  zsh: words => `#compdef filigree\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(words)}`,
}

const NAMES = Object.keys(SHELLS)

/** Prints a script that lets a shell complete commands and flags. It names what it knows, so an update needs a new one. */
export const command: Command = {
  usage: `<${NAMES.join('|')}>`,
  summary: 'Prints a script with which a shell completes commands and flags',
  words: { least: 1, most: 1 },
  async run({ positionals: [shell = ''] }) {
    const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined
    if (!script) throw new AppError('bad_request', `There is no script for '${shell}', only for: ${NAMES.join(', ')}.`)
    console.log(script(await collectWords()))
  },
}

const GROUPS: Readonly<Record<string, () => Promise<{ GROUP: Group }>>> = {
  config: () => import('./config/index.ts'),
  users: () => import('./users/index.ts'),
  rules: () => import('./rules/index.ts'),
  cmds: () => import('./cmds/index.ts'),
}

const SINGLE = ['serve', 'hash', 'version', 'help', 'completion']

async function collectWords(): Promise<Words> {
  const server = flagsOf(ALL_SETTINGS)
  const words: Record<string, readonly string[]> = {
    '': [...SINGLE, ...Object.keys(GROUPS), ...server],
    serve: server,
    completion: NAMES,
    help: [...SINGLE, ...Object.keys(GROUPS)],
  }
  for (const [name, load] of Object.entries(GROUPS)) {
    const { GROUP } = await load()
    words[name] = Object.keys(GROUP)
    for (const [sub, loadCommand] of Object.entries(GROUP)) {
      const { command } = await loadCommand()
      words[`${name} ${sub}`] = flagsOf([...COMMON_FLAGS, ...(command.flags ?? [])])
    }
  }
  return words
}

const flagsOf = (settings: readonly { flag?: string }[]) => settings.flatMap(({ flag }) => (flag ? [`--${flag}`] : []))

function bashScript(words: Words): string {
  const cases = Object.entries(words).map(([path, next]) => `    '${path}') words='${next.join(' ')}' ;;`)
  return `_filigree() {
  local path="" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in
      -*) ;;
      *) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _filigree filigree`
}

function fishScript(words: Words): string {
  const lines = Object.entries(words).map(([path, next]) => {
    const [first, second] = path.split(' ')
    const conditions = [
      first ? `__fish_seen_subcommand_from ${first}` : '__fish_use_subcommand',
      ...(second ? [`__fish_seen_subcommand_from ${second}`] : []),
    ]
    return `complete -c filigree -n '${conditions.join('; and ')}' -a '${next.join(' ')}'`
  })
  return lines.join('\n')
}
