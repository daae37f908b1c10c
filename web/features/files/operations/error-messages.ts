import { ApiError } from '../../../lib/api.ts'
import { errorText } from '../../../lib/error-text.ts'
import { t } from '../../../lib/i18n/index.ts'

/** Why the server refused to change something, as a sentence. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof ApiError)) return errorText(error)
  if (error.status === 409) return t('files.reasonTaken')
  if (error.status === 404) return t('files.reasonGone')
  if (error.message.includes('source is parent')) return t('files.reasonIntoItself')
  return errorText(error)
}
