import { t } from '../../../lib/i18n/index.ts'
import type { JobFailure } from '../job.ts'

/** Why a file could not be sent, for a visitor who knows nothing of the folder. */
export function failureText({ reason, message }: JobFailure): string {
  if (reason === 'tooLarge') return t('links.beyond')
  if (reason === 'folderGone' || reason === 'forbidden') return t('publicShare.gone')
  if (reason === 'quota') return t('uploads.reason.noSpace')
  return reason === 'other' ? t('uploads.reason.other', { message }) : t(`uploads.reason.${reason}`)
}
