import { ApiError } from '../../../lib/api.ts'
import { t } from '../../../lib/i18n/index.ts'
import { refusalOf } from '../../../lib/refusal.ts'

/** The error of the field for the name of a mount; `undefined` for any other error. */
export function nameProblem(error: unknown): string | undefined {
  if (error instanceof ApiError && error.status === 409) return t('mounts.nameTaken')
  return refusalOf(error)?.field === 'name' ? t('fields.invalid') : undefined
}
