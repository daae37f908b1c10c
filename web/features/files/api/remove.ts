import { encodePath } from '../../../../shared/path.ts'
import { api } from '../../../lib/api.ts'

/** `DELETE /api/resources/{path}` (http-api 3.4): a file, or a folder with its content. @throws ApiError */
export async function removeResource(path: string): Promise<void> {
  await api(`/api/resources${encodePath(path)}`, { method: 'DELETE' })
}
