import { describeSettings } from '../config.ts'
import { runTop, type TopCommands } from './command.ts'

/**
 * Prints what the program does and every setting of the host, or how the command is used that the words name.
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
    'Filigree serves a folder on the web.',
    '',
    'Usage: filigree [command] [flags]',
    '',
    'Commands:',
    ...Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`),
    '',
    'Flags:',
    ...describeSettings(),
    '',
    'More about a command: filigree help <command>',
  ]
}
