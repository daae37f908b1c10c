import type { FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { remark } from '../../routing/route.ts'
import type { Guess, Guesses, SecretKind } from './login-throttle.ts'

/** The path and the status that the log shows for a wrong secret. */
const LOGGED: Readonly<Record<SecretKind, { path: string; status: number }>> = {
  login: { path: '/api/login', status: 403 },
  share: { path: '/api/public', status: 401 },
  confirm: { path: '/api/users', status: 400 },
}

/**
 * Checks the secret of a request. Each failure logs a line that programs such as fail2ban read (docs/fail2ban.md); its
 * form is stable, and only the address in it comes from the client.
 * @returns what the secret opens; `undefined` when it is wrong
 * @throws AppError `too_many_attempts`
 */
export async function verifySecret<T>(
  guesses: Guesses,
  request: FastifyRequest,
  { kind, subject }: Pick<Guess, 'kind' | 'subject'>,
  judge: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const { path, status } = LOGGED[kind]
  const logFailure = (code: number) => request.log.warn({ client: request.ip }, `${path}: ${code} ${request.ip}`)
  try {
    const opened = await guesses.judge({ kind, subject, address: request.ip }, judge)
    if (opened === undefined) {
      logFailure(status)
      remark(request, { outcome: 'wrong_credentials' })
    }
    return opened
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_many_attempts') logFailure(429)
    throw error
  }
}
