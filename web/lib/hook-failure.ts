import { t } from './i18n/index.ts'
import { notify } from './notices.ts'

/**
 * Reports a response that is not a failure of the call: the operation succeeded, but a hook that the server ran
 * afterwards failed. @param code the server's error code @returns whether it was such a response
 */
export function reportHookFailure(code: string): boolean {
  if (code !== 'hook_failed') return false
  notify('error', t('errors.hookFailed'))
  return true
}
