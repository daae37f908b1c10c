import { ApiError } from '../../lib/api.ts'
import { t } from '../../lib/i18n/index.ts'
import { commonText } from './failure.ts'

/** Why a passkey did not sign in. The browser does not say whether the user cancelled or has none. */
export function passkeyProblem(error: unknown): string {
  if (!(error instanceof ApiError)) return t('signIn.passkeyFailed')
  return error.status === 403 ? t('signIn.passkeyRefused') : commonText(error)
}
