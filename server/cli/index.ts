import { AppError } from '../errors.ts'
import { VERSION } from '../version.ts'

const serve = async (args: string[]) => (await import('./serve.ts')).serve(args)
const help = async () => (await import('./help.ts')).help()

/** Every sub-command, loaded when it is called; without one the server starts. */
const COMMANDS: Record<string, (args: string[]) => Promise<void>> = {
  serve,
  help,
  version: async () => console.log(`Filigree v${VERSION}`),
}

async function run(args: string[]): Promise<void> {
  const [first = '', ...rest] = args
  if (first === '--help' || first === '-h') return help()
  if (first === '' || first.startsWith('-')) return serve(args)
  const command = COMMANDS[first]
  if (!command) throw new AppError('bad_request', `There is no command '${first}'. Try: filigree help`)
  return command(rest)
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  console.error(messageFor(error))
  process.exitCode = 1
}

/** Our own errors speak for themselves; anything else keeps its stack, to be reported. */
function messageFor(error: unknown): string {
  if (error instanceof AppError) return error.message
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'EADDRINUSE')
    return 'The address is in use already. Choose another with --port, or stop the other server.'
  if (code === 'EACCES') return `No permission: ${(error as Error).message}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
