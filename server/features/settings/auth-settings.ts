import * as z from 'zod/mini'
import { AUTH_METHODS } from '../../../shared/api/settings.ts'

export const PASSWORD_LOGINS = ['everybody', 'admins', 'nobody'] as const
export type PasswordLogin = (typeof PASSWORD_LOGINS)[number]

const text = z.string().check(z.maxLength(4096))

/**
 * How users sign in (http-api 18). Set on the host, never over the API: an administrator of the API must not be able to
 * name a program or another authentication service.
 */
export const AuthSettings = z.object({
  method: z._default(z.enum(AUTH_METHODS), 'json'),
  /** The page after signing out. */
  logoutPage: z._default(text, '/login'),
  /** `proxy`: the request header with the user's name. */
  header: z._default(text, ''),
  /** `hook`: the program and its arguments, separated by single spaces. */
  command: z._default(text, ''),
  /** `proxy` and `hook`: whether an unknown user gets an account at the first sign-in. */
  createUsers: z._default(z.boolean(), true),
  /** `json`: who signs in with a password here; without an OpenID provider, every user does. */
  passwordLogin: z._default(z.enum(PASSWORD_LOGINS), 'everybody'),
  /** `json`: required with the password when a secret is set. */
  recaptcha: z._default(
    z.object({ host: z._default(text, ''), key: z._default(text, ''), secret: z._default(text, '') }),
    () => ({ host: '', key: '', secret: '' }),
  ),
})
export type AuthSettings = z.infer<typeof AuthSettings>

/** Host of the captcha service unless another is named (http-api 18). */
const CAPTCHA_HOST = 'https://www.google.com'

/** The URL of the captcha service without a trailing slash. */
export const captchaHost = ({ recaptcha }: AuthSettings): string => (recaptcha.host || CAPTCHA_HOST).replace(/\/+$/, '')
