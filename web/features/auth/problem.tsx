import { t } from '../../lib/i18n/index.ts'
import type { Refusal } from './failure.ts'

/** Why a provider or a directory lets a user not in. */
export default function Problem({ problem, provider }: Refusal) {
  return problemText(problem, provider)
}

/** The text for a problem (http-api 27, 35). */
export function problemText(problem: string, provider: string): string {
  switch (problem) {
    case 'denied':
      return t('signIn.denied', { provider })
    case 'expired':
    case 'mismatch':
      return t('signIn.expired')
    case 'away':
      return t('signIn.away', { provider })
    case 'not_allowed':
      return t('signIn.notAllowed', { provider })
    case 'no_account':
      return t('signIn.noAccount')
    case 'name_taken':
      return t('signIn.nameTaken')
    case 'disabled':
      return t('signIn.disabled')
    case 'bad_claims':
      return t('signIn.badClaims', { provider })
    default:
      return t('signIn.internal', { provider })
  }
}
