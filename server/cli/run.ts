import { AppError } from '../errors.ts'
import { partLeadingFlags, runTop } from './command.ts'
import { COMMANDS } from './commands.ts'

/** Runs what was typed behind `filigree`, and tells the console of a failure. @returns whether there was none */
export async function runLine(args: readonly string[]): Promise<boolean> {
  try {
    await run(args)
    return true
  } catch (error) {
    console.error(messageFor(error))
    return false
  }
}

async function run(args: readonly string[]): Promise<void> {
  const leading = partLeadingFlags(args)
  const [first = '', ...rest] = leading.rest
  if (first === '--help' || first === '-h') return runTop('help', [], COMMANDS)
  if (first === '--version') return runTop('version', [], COMMANDS)
  if (first === '' || first.startsWith('-')) return runTop('serve', args, COMMANDS)
  return runTop(first, [...leading.flags, ...rest], COMMANDS)
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
