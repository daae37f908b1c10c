import { AppError } from '../errors.ts'
import { runTop, splitLeadingFlags } from './command.ts'
import { COMMANDS } from './commands.ts'

/** Runs a command line, and prints an error. @returns whether it succeeded */
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
  const leading = splitLeadingFlags(args)
  const [first = '', ...rest] = leading.rest
  if (first === '--help' || first === '-h') return runTop('help', [], COMMANDS)
  if (first === '--version') return runTop('version', [], COMMANDS)
  if (first === '' || first.startsWith('-')) return runTop('serve', args, COMMANDS)
  return runTop(first, [...leading.flags, ...rest], COMMANDS)
}

/** AppErrors print their message; unknown errors print their stack, for a bug report. */
function messageFor(error: unknown): string {
  // Validators shared with the API prefix a field with its place in a request.
  if (error instanceof AppError) return error.message.replace(/^data\./, '')
  const code = (error as NodeJS.ErrnoException).code
  if (code === 'EADDRINUSE')
    return 'The address is already in use. Choose another port with --port, or stop the other server.'
  if (code === 'EACCES') return `No permission: ${(error as Error).message}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
