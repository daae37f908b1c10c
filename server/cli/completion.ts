import { ALL_SETTINGS } from '../config/settings.ts'
import { AppError } from '../errors.ts'
import { COMMON_FLAGS, type Command, type TopCommand, type TopCommands } from './command.ts'

/** Completions by the words typed so far, joined with spaces; `''` for none. */
type Words = Readonly<Record<string, readonly string[]>>

const SHELLS: Readonly<Record<string, (words: Words) => string>> = {
  bash: bashScript,
  fish: fishScript,
  powershell: powershellScript,
  zsh: words => `#compdef filigree\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(words)}`,
}

const NAMES = Object.keys(SHELLS)

/** Prints a completion script. It lists the commands and flags of this version: an upgrade needs a new one. */
export const completionOf = (commands: TopCommands): Command => ({
  usage: `<${NAMES.join('|')}>`,
  summary: 'Prints a shell completion script',
  words: { least: 1, most: 1 },
  async run({ positionals: [shell = ''] }) {
    const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined
    if (!script)
      throw new AppError('bad_request', `There is no completion script for '${shell}', only for: ${NAMES.join(', ')}.`)
    console.log(script(await collectWords(commands)))
  },
})

async function collectWords(commands: TopCommands): Promise<Words> {
  const server = flagsOf(ALL_SETTINGS)
  const names = Object.keys(commands)
  const words: Record<string, readonly string[]> = { '': [...names, ...server], help: names, completion: NAMES }
  for (const [name, top] of Object.entries(commands)) Object.assign(words, await wordsBehind(name, top, server))
  return words
}

async function wordsBehind(name: string, { does, serves }: TopCommand, server: readonly string[]): Promise<Words> {
  if (serves) return { [name]: server }
  if (!('group' in does)) return {}
  const words: Record<string, readonly string[]> = { [name]: Object.keys(does.group) }
  for (const [sub, load] of Object.entries(does.group)) {
    const { command } = await load()
    words[`${name} ${sub}`] = flagsOf([...COMMON_FLAGS, ...(command.flags ?? [])])
  }
  return words
}

const flagsOf = (settings: readonly { flag?: string | undefined }[]) =>
  settings.flatMap(({ flag }) => (flag ? [`--${flag}`] : []))

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

function powershellScript(words: Words): string {
  const quoted = (word: string) => `'${word}'`
  const cases = Object.entries(words).map(([path, next]) => `    ${quoted(path)} = @(${next.map(quoted).join(', ')})`)
  return `Register-ArgumentCompleter -Native -CommandName filigree -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @{
${cases.join('\n')}
  }
  $typed = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  $path = @($typed | Where-Object { -not $_.StartsWith('-') }) -join ' '
  @($words[$path]) | Where-Object { $_ -and $_.StartsWith($wordToComplete) } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}`
}
