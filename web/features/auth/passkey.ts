import {
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  WebAuthnError,
} from '@simplewebauthn/browser'
import type { Enrolled, EnrolTotp } from '../../../shared/api/enrolment.ts'
import type { PasskeyOptions } from '../../../shared/api/passkeys.ts'
import { apiJson, apiText } from '../../lib/api.ts'

/**
 * Signs in with a passkey alone (http-api 34). @returns the session token @throws ApiError, or the error of the browser
 * when the user cancels
 */
export async function enterWithPasskey(): Promise<string> {
  const { ticket, options } = await apiJson<PasskeyOptions>('/api/login/passkey/options', post({}))
  return apiText('/api/login/passkey', post({ ticket, response: await respond(options) }))
}

/** Milliseconds after which passkeys are offered again: the challenge of the server counts for five minutes. */
const OFFER_AGAIN = 4 * 60_000

/**
 * Offers the passkeys of this site in the list of the field for the name, in browsers that can, until the signal aborts.
 * @returns the session token of the one that the user chose, if any @throws ApiError for one that is refused
 */
export async function offerPasskeys(signal: AbortSignal): Promise<string | undefined> {
  if (!(await browserSupportsWebAuthnAutofill())) return undefined
  signal.addEventListener('abort', () => WebAuthnAbortService.cancelCeremony())
  while (!signal.aborted) {
    const { ticket, options } = await apiJson<PasskeyOptions>('/api/login/passkey/options', post({}))
    if (signal.aborted) break
    const response = await chosenWithin(OFFER_AGAIN, options)
    if (response && !signal.aborted) return apiText('/api/login/passkey', post({ ticket, response }))
    if (!signal.aborted) await untilVisible()
  }
  return undefined
}

/** @returns nothing when the time is over, or the browser offers nothing */
async function chosenWithin(milliseconds: number, options: PasskeyOptions['options']) {
  const timer = setTimeout(() => WebAuthnAbortService.cancelCeremony(), milliseconds)
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  try {
    return await startAuthentication({ optionsJSON, useBrowserAutofill: true })
  } catch (error) {
    if (error instanceof WebAuthnError && error.code === 'ERROR_CEREMONY_ABORTED') return undefined
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** A page in the background asks for no challenges. */
async function untilVisible(): Promise<void> {
  while (document.hidden) {
    await new Promise(resolve => document.addEventListener('visibilitychange', resolve, { once: true }))
  }
}

/**
 * Uses a passkey in place of a code. @param onTicket takes the ticket that counts from now on @returns the session token
 */
export async function continueWithPasskey(
  { ticket, remember }: { ticket: string; remember: boolean },
  onTicket: (ticket: string) => void,
): Promise<string> {
  const asked = await apiJson<PasskeyOptions>('/api/login/factor/passkey', post({ ticket }))
  onTicket(asked.ticket)
  const passkey = await respond(asked.options)
  return apiText('/api/login/factor', post({ ticket: asked.ticket, passkey, remember }))
}

/**
 * Makes a passkey that a sign-in requires. @param onTicket takes the ticket that counts from now on @throws ApiError, or
 * the error of the browser when it made none
 */
export async function enrolPasskey(
  ticket: string,
  label: string,
  onTicket: (ticket: string) => void,
): Promise<Enrolled> {
  const asked = await apiJson<PasskeyOptions>('/api/login/enrol/passkey/options', post({ ticket }))
  onTicket(asked.ticket)
  const optionsJSON = asked.options as unknown as PublicKeyCredentialCreationOptionsJSON
  const response = await startRegistration({ optionsJSON })
  return apiJson('/api/login/enrol/passkey', post({ ticket: asked.ticket, label, response }))
}

/** Begins to set up an authenticator app that a sign-in requires. @throws ApiError 403 for an ended ticket */
export const enrolApp = (ticket: string): Promise<EnrolTotp> => apiJson('/api/login/enrol/totp', post({ ticket }))

/** Turns the app on. @throws ApiError 400 for a wrong code */
export const confirmApp = (ticket: string, code: string): Promise<Enrolled> =>
  apiJson('/api/login/enrol/totp/confirm', post({ ticket, code }))

const respond = (options: PasskeyOptions['options']) =>
  startAuthentication({ optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON })

const post = (body: object) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
  auth: false,
})
