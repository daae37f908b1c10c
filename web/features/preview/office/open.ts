import type { OfficeDocument } from '../../../../shared/api/office.ts'
import { apiJson } from '../../../lib/api.ts'

/** A document for the office editor (http-api 52), with a new token for one frame. @throws ApiError */
export const openDocument = (path: string, signal?: AbortSignal): Promise<OfficeDocument> =>
  apiJson<OfficeDocument>('/api/office/open', {
    method: 'POST',
    body: JSON.stringify({ path, mode: 'edit' }),
    ...(signal && { signal }),
  })
