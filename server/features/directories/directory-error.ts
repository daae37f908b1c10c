/**
 * Why a directory gave no answer: `away` when another server may know more, `refused` for a wrong password, `ambiguous`
 * when a name means several users, `unusable` for what no other server would do better.
 */
export type DirectoryFault = 'away' | 'refused' | 'ambiguous' | 'unusable'

/** A failure of a directory. The message is for the log and the console: no secret. */
export class DirectoryError extends Error {
  readonly fault: DirectoryFault

  constructor(fault: DirectoryFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DirectoryError'
    this.fault = fault
  }
}

/** `invalidCredentials` (RFC 4511 4.1.9). */
const WRONG = 49
/** `busy`, `unavailable` and `unwillingToPerform`: another server may do it. */
const BUSY = [51, 52, 53]

/** What an error of the library or of the connection means. */
export function directoryError(error: unknown, doing: string): DirectoryError {
  if (error instanceof DirectoryError) return error
  const { code, message } = error as { code?: unknown; message?: unknown }
  const [reason = ''] = String(message).split('\n')
  const text = `${doing}: ${reason.slice(0, 300)}`
  if (code === WRONG) return new DirectoryError('refused', text, { cause: error })
  // Results of a server have numbers; faults of a connection have words, or none.
  const isResult = typeof code === 'number' && !BUSY.includes(code)
  return new DirectoryError(isResult ? 'unusable' : 'away', text, { cause: error })
}
