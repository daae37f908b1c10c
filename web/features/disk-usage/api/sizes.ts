import type { SizesAnswer } from '../../../../shared/api/sizes.ts'
import { encodePath } from '../../../../shared/path.ts'
import { apiJson } from '../../../lib/api.ts'

/** `GET /api/sizes/{folder}`, as options of a query. */
export const sizesQuery = (path: string) => ({
  queryKey: ['sizes', path],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    apiJson<SizesAnswer>(`/api/sizes${encodePath(path).replace(/\/$/, '')}/`, { signal }),
})
