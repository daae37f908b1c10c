import { encodePath, type FilePath } from '../../../../shared/path.ts'
import { api } from '../../../lib/api.ts'

/** `POST /api/resources/{file}` without content (http-api 3.2). @throws ApiError 409 when the name is taken */
export async function createFile(path: FilePath): Promise<void> {
  await api(`/api/resources${encodePath(path)}?override=false`, { method: 'POST' })
}
