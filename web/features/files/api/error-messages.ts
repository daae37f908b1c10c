import { ApiError } from '../../../lib/api.ts'
import { errorText } from '../../../lib/error-text.ts'
import { t } from '../../../lib/i18n/index.ts'

/** The error message for a refused change. */
export function errorMessageOf(error: unknown): string {
  if (!(error instanceof ApiError)) return errorText(error)
  if (error.status === 409) return t('files.reasonTaken')
  if (error.status === 404) return t('files.reasonGone')
  if (error.message.includes('source is parent')) return t('files.reasonIntoItself')
  return errorText(error)
}
