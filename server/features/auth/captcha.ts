import { AppError } from '../../errors.ts'
import { LIMITS } from '../../limits.ts'
import { Outbound } from '../../outbound/outbound.ts'
import { type AuthSettings, captchaHost } from '../settings/auth-settings.ts'

const FORM = 'application/x-www-form-urlencoded;charset=UTF-8'
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
    const { host, secret } = settings.recaptcha
    const url = `${captchaHost(settings)}/recaptcha/api/siteverify`
    const body = new URLSearchParams({ secret, response: answer }).toString()
    // Only the console sets its address: one that it names may be in a private network.
    const named = host === '' ? [] : [new URL(url).hostname]
    const headers = { 'Content-Type': FORM, 'Content-Length': String(Buffer.byteLength(body)) }
    const request = { url, method: 'POST', headers, body, time: PATIENCE } as const
    const response = await new Outbound({ networks: [], named }).call(request)
    if (response.status !== 200) return false
    const verdict: unknown = JSON.parse(response.text)
    return typeof verdict === 'object' && verdict !== null && 'success' in verdict && verdict.success === true
  } catch (error) {
    throw new AppError('unavailable', 'the captcha service cannot be reached', { cause: error })
  }
}
