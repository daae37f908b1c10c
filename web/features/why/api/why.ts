import type { WhyAnswer } from '../../../../shared/api/why.ts'
import type { Effect } from '../../../../shared/permissions.ts'
import { apiJson } from '../../../lib/api.ts'

/** Who would do what. */
export interface WhyQuestion {
  path: string
  action: Effect
  username: string
}

/** `GET /api/why`, as options of a query. */
export const whyQuery = ({ path, action, username }: WhyQuestion) => ({
  queryKey: ['why', path, action, username],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    apiJson<WhyAnswer>(`/api/why?${new URLSearchParams({ path, action, user: username })}`, { signal }),
})
