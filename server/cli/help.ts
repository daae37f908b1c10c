import { describeSettings } from '../config.ts'
import { runTop, type TopCommands } from './command.ts'

/**
 * Prints the overview with all settings of the host, or the help of the command named.
 * @throws AppError `bad_request` when there is no such command
 */
export async function help(words: readonly string[], commands: TopCommands): Promise<void> {
  const [first = '', ...rest] = words.filter(word => !word.startsWith('-'))
  const isInOverview = Object.hasOwn(commands, first) && commands[first] && 'run' in commands[first].does
  if (first === '' || isInOverview) return console.log(overview(commands).join('\n'))
  return runTop(first, [...rest, '--help'], commands)
}

function overview(commands: TopCommands): string[] {
  return [
    'Filigree is a web file manager for a folder.',
    '',
    'Usage: filigree [command] [flags]',
    '',
    'Commands:',
    ...Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`),
    '',
    'Flags:',
    ...describeSettings(),
    '',
    'Help of a command: filigree help <command>',
  ]
}
