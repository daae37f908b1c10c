import { t } from '../../lib/i18n/index.ts'
import type { JobFailure } from './job.ts'

/** Why an upload of the user failed, as a sentence. */
export function reasonText({ reason, message }: JobFailure): string {
  if (reason === 'quota') return t('errors.quota')
  return reason === 'other' ? t('uploads.reason.other', { message }) : t(`uploads.reason.${reason}`)
}
