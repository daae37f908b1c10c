import * as z from 'zod/mini'
import { AUTH_METHODS } from '../../../shared/api/settings.ts'

const text = z.string().check(z.maxLength(4096))

/**
 * How people sign in (http-api 18). Set on the host, never over the API: whoever may change settings there must not be
 * able to name a program or another judge of passwords.
 */
export const AuthSettings = z.object({
  method: z._default(z.enum(AUTH_METHODS), 'json'),
  /** Where people land after logging out. */
  logoutPage: z._default(text, '/login'),
  /** `proxy`: the request header with the user's name. */
  header: z._default(text, ''),
  /** `hook`: the program and its arguments, parted by single spaces. */
  command: z._default(text, ''),
  /** `proxy` and `hook`: whether somebody unknown gets an account at the first visit. */
  createUsers: z._default(z.boolean(), true),
  /** `json`: asked for with the password when there is a secret. */
  recaptcha: z._default(
    z.object({ host: z._default(text, ''), key: z._default(text, ''), secret: z._default(text, '') }),
    () => ({ host: '', key: '', secret: '' }),
  ),
})
export type AuthSettings = z.infer<typeof AuthSettings>

/** Host of the captcha service unless another is named (http-api 18). */
const CAPTCHA_HOST = 'https://www.google.com'

/** Address of the captcha service without a trailing slash. */
export const captchaHost = ({ recaptcha }: AuthSettings): string => (recaptcha.host || CAPTCHA_HOST).replace(/\/+$/, '')
