import type { AccountMail, MailState, MailTest, OneTimeLink } from '../../../../shared/api/mail.ts'
import type { NoticeKind } from '../../../../shared/notice-kinds.ts'
import { api, apiJson } from '../../../lib/api.ts'
import { queryClient, queryOptions } from '../../../lib/query.ts'

const withBody = (method: string, body: object) => ({
  method,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})

/** The state of mail (http-api 38), as a query; for administrators. */
export const mailQuery = queryOptions({
  queryKey: ['mail'],
  queryFn: ({ signal }) => apiJson<MailState>('/api/mail', { signal }),
})

/** Sends a test mail. @throws ApiError 400, 429 */
export const testMail = (address: string): Promise<MailTest> => apiJson('/api/mail/test', withBody('POST', { address }))

/** The caller's mail address, as a query. */
export const accountMailQuery = queryOptions({
  queryKey: ['accountMail'],
  queryFn: ({ signal }) => apiJson<AccountMail>('/api/account/mail', { signal }),
})

/** Changes the caller's address; `''` for none. @throws ApiError 400, 429 */
export async function changeMailAddress(address: string, password: string | undefined): Promise<void> {
  await api('/api/account/mail', withBody('PUT', { address, current_password: password }))
  await queryClient.invalidateQueries({ queryKey: accountMailQuery.queryKey })
}

/** Changes whether the caller wants any mails that can be switched off. @throws ApiError */
export async function changeMailNotices(notices: boolean): Promise<void> {
  await api('/api/account/mail', withBody('PUT', { notices }))
  await queryClient.invalidateQueries({ queryKey: accountMailQuery.queryKey })
}

/** Changes which kinds of these the caller does not want. @throws ApiError */
export async function changeMailsOff(off: readonly NoticeKind[]): Promise<void> {
  await api('/api/account/mail', withBody('PUT', { off }))
  await queryClient.invalidateQueries({ queryKey: accountMailQuery.queryKey })
}

/** Makes a link with which a user sets a new password. @throws ApiError 400, 403 */
export async function makeOneTimeLink(id: number, password: string | undefined): Promise<OneTimeLink> {
  return apiJson<OneTimeLink>(`/api/users/${id}/one-time-link`, withBody('POST', { current_password: password }))
}

/** Sends a user an invitation. @throws ApiError 400, 429 */
export async function inviteUser(id: number, address: string, password: string | undefined): Promise<void> {
  await api(`/api/users/${id}/invitation`, withBody('POST', { address, current_password: password }))
}
