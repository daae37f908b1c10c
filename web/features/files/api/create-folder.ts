import { encodePath, type FilePath } from '../../../../shared/path.ts'
import { api } from '../../../lib/api.ts'

/** `POST /api/resources/{folder}/` (http-api 3.2): a trailing slash makes a folder. @throws ApiError */
export async function createFolder(path: FilePath): Promise<void> {
  await api(`/api/resources${encodePath(path)}/?override=false`, { method: 'POST' })
}
