import { type Answer, call, encode, json } from './client.ts'
import type { Instance } from './harness.ts'

type Place = Pick<Instance, 'url'>

/** A share link as on the wire. */
export interface Link {
  hash: string
  path: string
  userID: number
  expire: number
  hasPassword: boolean
  username?: string
}

/** Creates a share link. The path is not encoded; the body is sent as clients of the wire do, without a type. */
export const share = (place: Place, token: string, path: string, body: unknown = {}, query = ''): Promise<Answer> =>
  call(place, `/api/share${encode(path)}${query}`, {
    method: 'POST',
    token,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

/** Creates a share link, which must succeed. */
export async function linkTo(place: Place, token: string, path: string, body: unknown = {}): Promise<Link> {
  const answer = await share(place, token, path, body)
  if (answer.status !== 200) throw new Error(`${path} was not shared: ${answer.status} ${answer.text}`)
  return json(answer)
}

/** The header with a share link's password. */
export const withPassword = (password: string) => ({ 'X-SHARE-PASSWORD': encodeURIComponent(password) })

/** The view without an account. `sub` starts with a slash and is not encoded. */
export const viewShare = (place: Place, hash: string, sub = '', query = '', headers: Record<string, string> = {}) =>
  call(place, `/api/public/share/${hash}${encode(sub)}${query}`, { headers })

export const load = (place: Place, hash: string, sub = '', query = '', headers: Record<string, string> = {}) =>
  call(place, `/api/public/dl/${hash}${encode(sub)}${query}`, { headers })
