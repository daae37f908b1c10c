import { ApiError } from '../../../lib/api.ts'
import { errorText } from '../../../lib/error-text.ts'
import { t } from '../../../lib/i18n/index.ts'
import { refusalOf } from '../../../lib/refusal.ts'

/** Why a mail was not taken, for the field of the address. */
export function addressProblem(error: unknown): string {
  const refusal = refusalOf(error)
  if (refusal?.field === 'address') return refusal.problem
  return error instanceof ApiError && error.status === 429 ? t('mail.tooMany') : errorText(error)
}
