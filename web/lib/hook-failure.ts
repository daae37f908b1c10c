import { t } from './i18n/index.ts'
import { notify } from './notices.ts'

/**
 * Tells of an answer that refuses nothing: everything was done, only a program that the server runs afterwards has
 * failed. @param code the server's error code @returns whether it was such an answer
 */
export function tellHookFailure(code: string): boolean {
  if (code !== 'hook_failed') return false
  notify('error', t('errors.hookFailed'))
  return true
}
