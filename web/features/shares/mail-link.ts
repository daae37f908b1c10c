import type { ShareLink } from '../../../shared/api/shares.ts'
import { api } from '../../lib/api.ts'

/** The addresses in a text: between commas, semicolons and white space. */
export const addressesIn = (text: string): string[] => text.split(/[\s,;]+/).filter(address => address !== '')

/** `POST /api/links/{hash}/invitations` (http-api 47). @throws ApiError 400, 403, 404, 429, 503 */
export async function mailLink(
  { hash }: Pick<ShareLink, 'hash'>,
  addresses: readonly string[],
  text: string,
): Promise<void> {
  await api(`/api/links/${encodeURIComponent(hash)}/invitations`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ addresses, text }),
  })
}
