import { type PublicKeyCredentialRequestOptionsJSON, startAuthentication } from '@simplewebauthn/browser'
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

/**
 * Uses a passkey in place of a code. @param onTicket takes the ticket that counts from now on @returns the session token
 */
export async function continueWithPasskey(ticket: string, onTicket: (ticket: string) => void): Promise<string> {
  const asked = await apiJson<PasskeyOptions>('/api/login/factor/passkey', post({ ticket }))
  onTicket(asked.ticket)
  const passkey = await respond(asked.options)
  return apiText('/api/login/factor', post({ ticket: asked.ticket, passkey }))
}

const respond = (options: PasskeyOptions['options']) =>
  startAuthentication({ optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON })

const post = (body: object) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
  auth: false,
})
