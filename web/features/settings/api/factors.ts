import type { FactorStatus, NewTotp, RecoveryCodes } from '../../../../shared/api/factors.ts'
import { api, apiJson, unlessMissing } from '../../../lib/api.ts'
import { queryClient, queryOptions } from '../../../lib/query.ts'

const KEY = 'factors'

/** The second factors of a user, or the caller's own without an id, as a query (http-api 30). */
export const factorsQuery = (userId?: number) =>
  queryOptions({
    queryKey: [KEY, userId ?? 'own'],
    queryFn: ({ signal }) => apiJson<FactorStatus>(placeOf(userId), { signal }),
  })

/** Begins to set up an authenticator app. @throws ApiError 400 without the right password, 409 when there is one */
export const beginTotp = (password: string | undefined): Promise<NewTotp> =>
  apiJson('/api/account/totp', withBody('POST', { current_password: password }))

/** Turns the app on. @throws ApiError 400 for a wrong code */
export async function confirmTotp(code: string): Promise<RecoveryCodes> {
  const made = await apiJson<RecoveryCodes>('/api/account/totp/confirm', withBody('POST', { code }))
  await reloadFactors()
  return made
}

/** Replaces the recovery codes. @throws ApiError */
export async function renewCodes(password: string | undefined): Promise<RecoveryCodes> {
  const made = await apiJson<RecoveryCodes>('/api/account/recovery', withBody('POST', { current_password: password }))
  await reloadFactors()
  return made
}

/** Removes the factors of a user, or those of the caller. @throws ApiError */
export async function removeFactors(password: string | undefined, userId?: number): Promise<void> {
  const place = userId === undefined ? '/api/account/totp' : placeOf(userId)
  await api(place, withBody('DELETE', { current_password: password }))
  await reloadFactors()
}

/** Forgets a browser that needs no second factor. @throws ApiError */
export async function forgetDevice(id: string): Promise<void> {
  await unlessMissing(api(`/api/account/devices/${encodeURIComponent(id)}`, { method: 'DELETE' }))
  await reloadFactors()
}

/** Loads the factors again after a change. */
export async function reloadFactors(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: [KEY] })
}

const placeOf = (userId: number | undefined) =>
  userId === undefined ? '/api/account/factors' : `/api/users/${userId}/factors`

export const withBody = (method: string, body: object) => ({
  method,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})
