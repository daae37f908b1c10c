import { AppError } from '../errors.ts'
import { VERSION } from '../version.ts'

/** What a word behind `filigree` does. */
interface TopCommand {
  /** One line for the list of commands. */
  summary: string
  run(args: readonly string[]): Promise<void>
}

const group = async () => (await import('./command.ts')).runGroup
const single = async () => (await import('./command.ts')).runCommand

const serve = async (args: readonly string[]) => (await import('./serve.ts')).serve(args)
const help = async (args: readonly string[]) => (await import('./help.ts')).help(args, COMMANDS)
const version = async () => console.log(`Filigree v${VERSION}`)

/** Every command, loaded when it is called; without one the server starts. */
const COMMANDS: Record<string, TopCommand> = {
  serve: {
    summary: 'Serve a folder (this happens without a command, too)',
    run: serve,
  },
  config: {
    summary: 'Set up a database; show, change, export and import settings',
    run: async args => (await group())('config', (await import('./config/index.ts')).GROUP, args),
  },
  users: {
    summary: 'Add, list, change, remove, export and import users',
    run: async args => (await group())('users', (await import('./users/index.ts')).GROUP, args),
  },
  rules: {
    summary: 'List, add and remove rules, for everybody or for one user',
    run: async args => (await group())('rules', (await import('./rules/index.ts')).GROUP, args),
  },
  cmds: {
    summary: 'List, add and remove the command lines of events',
    run: async args => (await group())('cmds', (await import('./cmds/index.ts')).GROUP, args),
  },
  hash: {
    summary: 'Print the bcrypt hash of a password',
    run: async args => (await single())('hash', (await import('./hash.ts')).command, args),
  },
  completion: {
    summary: 'Print a script with which a shell completes commands and flags',
    run: async args => (await single())('completion', (await import('./completion.ts')).command, args),
  },
  version: {
    summary: 'Print the version',
    run: version,
  },
  help: {
    summary: 'Print this text, or how one command is used',
    run: help,
  },
}

async function run(args: readonly string[]): Promise<void> {
  const [first = '', ...rest] = args
  if (first === '--help' || first === '-h') return help([])
  if (first === '--version') return version()
  if (first === '' || first.startsWith('-')) return serve(args)
  const command = Object.hasOwn(COMMANDS, first) ? COMMANDS[first] : undefined
  if (!command) throw new AppError('bad_request', `There is no command '${first}'. Try: filigree help`)
  return command.run(rest)
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  console.error(messageFor(error))
  process.exitCode = 1
}

/** Our own errors speak for themselves; anything else keeps its stack, to be reported. */
function messageFor(error: unknown): string {
  // The checks that commands share with the API name a field by its place in a request.
  if (error instanceof AppError) return error.message.replace(/^data\./, '')
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'EADDRINUSE')
    return 'The address is in use already. Choose another with --port, or stop the other server.'
  if (code === 'EACCES') return `No permission: ${(error as Error).message}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
