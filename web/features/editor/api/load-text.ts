import { MAX_EDITED_BYTES } from '../../../../shared/limits.ts'
import { ApiError, api } from '../../../lib/api.ts'
import { rawPath } from '../../files/api/resource.ts'
import { type DecodedText, decodeText } from '../../files/items/text-encoding.ts'

/** The text of a file with what is needed to save it as it was. */
export interface LoadedText extends DecodedText {
  /** The file's ETag. */
  version: string
  /** Whether the file is longer than `text`. */
  cut: boolean
}

/**
 * `GET /api/raw/{path}` (http-api 5), which returns the version along with the bytes.
 * @param size of the file as last known
 * @throws ApiError
 */
export async function loadText(path: string, size: number, signal?: AbortSignal): Promise<LoadedText> {
  const cut = size > MAX_EDITED_BYTES
  const response = await api(rawPath(path, true), {
    ...(signal && { signal }),
    ...(cut && { headers: { Range: `bytes=0-${MAX_EDITED_BYTES - 1}` } }),
  })
  // Without the permission to download, the response is 202 and empty.
  if (response.status === 202) throw new ApiError(403, 'forbidden')
  const decoded = decodeText(new Uint8Array(await response.arrayBuffer()), cut)
  return { ...decoded, cut, version: response.headers.get('ETag') ?? '' }
}
