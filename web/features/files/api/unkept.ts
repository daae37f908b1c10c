import { t } from '../../../lib/i18n/index.ts'
import { loadHistory } from '../../../lib/lazy.ts'
import { notify } from '../../../lib/notices.ts'

/**
 * Notifies the user that the earlier content of a replaced file could not be kept (http-api 22).
 * @param kept the header `X-Kept` of a response, or `kept` of an item of a job
 */
export function reportKept(kept: string | null | undefined, path: string): void {
  if (kept !== 'no') return
  void loadHistory(() => import('./report-unkept.ts')).then(
    part => part.reportUnkept(path),
    () => notify('error', t('errors.chunk')),
  )
}
