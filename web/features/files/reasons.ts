import { ApiError } from '../../lib/api.ts'
import { errorText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'

/** Why the server refused to change something, as a sentence. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof ApiError)) return errorText(error)
  if (error.status === 409) return t('files.reasonTaken')
  if (error.status === 404) return t('files.reasonGone')
  if (error.status === 507) return t('files.noSpace')
  if (error.code === 'name_too_long') return t('files.nameLong')
  if (error.code === 'read_only') return t('files.reasonReadOnly')
  if (error.code === 'outside_scope') return t('files.reasonOutside')
  if (error.message.includes('source is parent')) return t('files.reasonIntoItself')
  return error.status === 400 ? error.message : errorText(error)
}
