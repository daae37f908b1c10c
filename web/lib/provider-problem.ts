import { t } from './i18n/index.ts'

/** The text for a problem (http-api 27, 35, 45). */
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
    case 'other_account':
      return t('signIn.otherAccount', { provider })
    case 'linked_already':
      return t('signIn.linkedAlready', { provider })
    case 'not_asked':
      return t('signIn.notAsked', { provider })
    default:
      return t('signIn.internal', { provider })
  }
}
