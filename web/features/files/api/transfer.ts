import { encodePath, type FilePath } from '../../../../shared/path.ts'
import { api } from '../../../lib/api.ts'

/** The operations that send items to another folder. */
export type TransferAction = 'copy' | 'move'

/** The names of these operations in the API. */
const WIRE_ACTION: Record<TransferAction, string> = { copy: 'copy', move: 'rename' }

export interface TransferCall {
  from: FilePath
  to: FilePath
  /** The server numbers the name when it is taken. */
  rename?: boolean
}

/** `PATCH /api/resources/{from}` (http-api 3.5), one call per item. The destination is encoded twice. @throws ApiError */
export async function transferResource(action: TransferAction, call: TransferCall): Promise<void> {
  const { from, to, rename = false } = call
  const destination = encodeURIComponent(encodePath(to))
  const query = `action=${WIRE_ACTION[action]}&destination=${destination}&override=false&rename=${rename}`
  await api(`/api/resources${encodePath(from)}?${query}`, { method: 'PATCH' })
}
