import type { FileResource } from '../../../../shared/api/resources.ts'
import { ApiError, api } from '../../../lib/api.ts'
import { rawPath } from '../../files/api/resource.ts'
import { UnreadableError } from './unreadable.ts'

/** Largest document loaded in full, in bytes. */
export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024

/** The props of every document viewer. */
export interface DocumentProps {
  resource: FileResource
  /** API call for the bytes of a shared file, without the base URL. */
  source?: string
}

/** API call for the bytes of a document, without the base URL. */
export const sourceOf = ({ resource, source }: DocumentProps): string => source ?? rawPath(resource.path, true)

/** All bytes of a document. @throws ApiError @throws UnreadableError when it is too large */
export async function fetchDocument(document: DocumentProps, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  if (document.resource.size > MAX_DOCUMENT_BYTES) throw new UnreadableError('tooLarge')
  const response = await api(sourceOf(document), { signal, auth: document.source === undefined })
  // Without the permission to download, the response is 202 and empty.
  if (response.status === 202) throw new ApiError(403, 'forbidden')
  return new Uint8Array(await response.arrayBuffer())
}
