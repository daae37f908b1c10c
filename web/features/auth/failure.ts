import { ApiError } from '../../lib/api.ts'
import { t } from '../../lib/i18n/index.ts'
import { refusalOf } from '../../lib/refusal.ts'

/** An error of the form: for all of it, or for one field, which gets the focus. */
export interface Failure {
  field: 'username' | 'password' | 'again'
  /** Shown above the button. */
  text?: string
  /** Shown at the field. */
  problem?: string
  /** Shown above the button, instead of a text. */
  refusal?: Refusal
}

/** Why a directory lets a user not in (http-api 35). */
export interface Refusal {
  problem: string
  /** Its name for users. */
  provider: string
}

/** Why the sign-in failed. */
export function loginFailure(error: unknown, username: string): Failure {
  const field = username === '' ? 'username' : 'password'
  if (error instanceof ApiError && error.refusal) return { field, refusal: error.refusal }
  const refused = error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429
  return { field, text: refused ? t('auth.wrongCredentials') : commonText(error) }
}

/** Why the sign-up failed. */
export function signUpFailure(error: unknown): Failure {
  const refusal = refusalOf(error)
  if (refusal?.field === 'username' || refusal?.field === 'password') {
    return { field: refusal.field, problem: refusal.problem }
  }
  if (error instanceof ApiError && error.status === 409) return { field: 'username', text: t('auth.usernameTaken') }
  if (error instanceof ApiError && error.status === 405) return { field: 'username', text: t('auth.signUpClosed') }
  return { field: 'password', text: commonText(error) }
}

export function commonText(error: unknown): string {
  if (!(error instanceof ApiError)) return t('errors.internal')
  if (error.status === 0) return t('auth.noConnection')
  if (error.status === 429) return t('auth.tooManyAttempts', { seconds: error.retryAfter ?? 60 })
  return t('errors.internal')
}

/** What a sign-in needs for its second step. */
export interface SecondStepDue {
  /** Continues the sign-in (http-api 30). */
  ticket: string
  /** What may follow, as a list in the header `X-Factors`. */
  factors: string
  /** Why: `second_factor_setup` when a factor must be set up first. */
  code: string
}

/** The second step that an error demands; `undefined` for any other error. */
export const secondStepIn = (error: unknown): SecondStepDue | undefined =>
  error instanceof ApiError && error.ticket !== '' ? error : undefined
