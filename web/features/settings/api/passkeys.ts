import { type PublicKeyCredentialCreationOptionsJSON, startRegistration } from '@simplewebauthn/browser'
import type { MadePasskey, PasskeyOptions } from '../../../../shared/api/passkeys.ts'
import { api, apiJson } from '../../../lib/api.ts'
import { reloadFactors, withBody } from './factors.ts'

/**
 * Makes a passkey (http-api 34). @throws ApiError 400 without the right password, 409 for too many; the error of the
 * browser when it made none
 */
export async function makePasskey(label: string, password: string | undefined): Promise<MadePasskey> {
  const { ticket, options } = await apiJson<PasskeyOptions>(
    '/api/account/passkeys/options',
    withBody('POST', { current_password: password }),
  )
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  const response = await startRegistration({ optionsJSON })
  const made = await apiJson<MadePasskey>('/api/account/passkeys', withBody('POST', { ticket, label, response }))
  await reloadFactors()
  return made
}

/** @throws ApiError */
export async function renamePasskey(id: string, label: string): Promise<void> {
  await api(placeOf(id), withBody('PATCH', { label }))
  await reloadFactors()
}

/** @throws ApiError 400 without the right password */
export async function removePasskey(id: string, password: string | undefined): Promise<void> {
  await api(placeOf(id), withBody('DELETE', { current_password: password }))
  await reloadFactors()
}

const placeOf = (id: string) => `/api/account/passkeys/${encodeURIComponent(id)}`
