import type { SignInTrial, TrialBegun, TryDirectory, TryProvider } from '../../../../shared/api/trials.ts'
import { apiJson } from '../../../lib/api.ts'

/** Begins to try a provider (http-api 45). @throws ApiError 400 without the right password */
export const tryProvider = (slug: string, body: TryProvider): Promise<TrialBegun> =>
  post(`/api/oidc/${slug}/trial`, body)

/** Tries a directory with a user of it. @throws ApiError as before */
export const tryDirectory = (slug: string, body: TryDirectory): Promise<SignInTrial> =>
  post(`/api/directories/${slug}/trial`, body)

/** A trial to which the browser came back. @throws ApiError 404 after some minutes */
export const keptTrial = (id: string): Promise<SignInTrial> =>
  apiJson<SignInTrial>(`/api/providers/trials/${encodeURIComponent(id)}`)

function post<T>(path: string, body: object): Promise<T> {
  const headers = { 'Content-Type': 'application/json' }
  return apiJson<T>(path, { method: 'POST', headers, body: JSON.stringify(body) })
}
