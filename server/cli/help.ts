import { describeSettings } from '../config.ts'
import { AppError } from '../errors.ts'

type Commands = Readonly<Record<string, { summary: string; run(args: readonly string[]): Promise<void> }>>

/**
 * Prints what the program does and every setting of the host, or how the command is used that the words name.
 * @throws AppError `bad_request` when there is no such command
 */
export async function help(words: readonly string[], commands: Commands): Promise<void> {
  const [first = '', ...rest] = words.filter(word => !word.startsWith('-'))
  if (first === '' || first in ABOUT_ITSELF) return console.log(overview(commands).join('\n'))
  const command = Object.hasOwn(commands, first) ? commands[first] : undefined
  if (!command) throw new AppError('bad_request', `There is no command '${first}'. Try: filigree help`)
  return command.run([...rest, '--help'])
}

/** The commands whose every flag stands in the overview. */
const ABOUT_ITSELF = { serve: true, help: true, version: true }

function overview(commands: Commands): string[] {
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
