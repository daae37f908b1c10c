import type { WhyAnswer } from '../../../../shared/api/explain-access.ts'
import type { Effect } from '../../../../shared/permissions.ts'
import { apiJson } from '../../../lib/api.ts'

/** User and action; or the name of a public share. */
export interface AccessQuestion {
  path: string
  action: Effect
  username: string
  link?: string | undefined
}

/** `GET /api/why`, as options of a query. */
export const explainAccessQuery = ({ path, action, username, link }: AccessQuestion) => ({
  queryKey: ['explain-access', path, action, username, link],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    apiJson<WhyAnswer>(
      `/api/why?${new URLSearchParams(link === undefined ? { path, action, user: username } : { link })}`,
      {
        signal,
      },
    ),
})
