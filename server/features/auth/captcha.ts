import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { type AuthSettings, captchaHost } from '../settings/auth-settings.ts'

/** The timeout of the captcha service, in milliseconds. */
const PATIENCE = LIMITS.captchaTime

/**
 * Verifies the answer with the captcha service (http-api 18); a no-op when no secret is set.
 * @throws AppError `wrong_credentials` for a wrong answer; `unavailable` when the service cannot be reached
 */
export async function demandCaptcha(settings: AuthSettings, answer: string): Promise<void> {
  const { secret } = settings.recaptcha
  if (secret === '') return
  if (answer === '' || !(await isHuman(settings, answer))) throw new AppError('wrong_credentials')
}

async function isHuman(settings: AuthSettings, answer: string): Promise<boolean> {
  try {
    const response = await fetch(`${captchaHost(settings)}/recaptcha/api/siteverify`, {
      method: 'POST',
      body: new URLSearchParams({ secret: settings.recaptcha.secret, response: answer }),
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE),
    })
    if (response.status !== 200) return false
    const verdict: unknown = await response.json()
    return typeof verdict === 'object' && verdict !== null && 'success' in verdict && verdict.success === true
  } catch (error) {
    throw new AppError('unavailable', 'the captcha service cannot be reached', { cause: error })
  }
}
