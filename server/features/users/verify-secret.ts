import type { FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'
import { remark } from '../../routing/route.ts'
import type { Door, Guess, Guesses } from './login-throttle.ts'

/** What the log says a wrong secret was tried on, and its answer. */
const LOGGED: Readonly<Record<Door, { path: string; status: number }>> = {
  login: { path: '/api/login', status: 403 },
  share: { path: '/api/public', status: 401 },
  confirm: { path: '/api/users', status: 400 },
}

/**
 * Judges the secret that a request brings. Each failure leaves a line in the log that programs such as fail2ban read
 * (docs/fail2ban.md); its form does not change, and nothing in it but the address comes from the client.
 * @returns what the secret opens; `undefined` when it is wrong
 * @throws AppError `too_many_attempts`
 */
export async function judgeSecret<T>(
  guesses: Guesses,
  request: FastifyRequest,
  { door, subject }: Pick<Guess, 'door' | 'subject'>,
  judge: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const { path, status } = LOGGED[door]
  const tell = (code: number) => request.log.warn({ client: request.ip }, `${path}: ${code} ${request.ip}`)
  try {
    const opened = await guesses.judge({ door, subject, address: request.ip }, judge)
    if (opened === undefined) {
      tell(status)
      remark(request, { outcome: 'wrong_credentials' })
    }
    return opened
  } catch (error) {
    if (error instanceof AppError && error.code === 'too_many_attempts') tell(429)
    throw error
  }
}
