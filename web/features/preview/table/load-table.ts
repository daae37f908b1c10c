import { ApiError, api } from '../../../lib/api.ts'
import { decodeText } from '../../files/items/text-encoding.ts'
import { askWorker } from '../ask-worker.ts'
import { type DocumentProps, sourceOf } from '../document/bytes.ts'
import { type Cells, parseCells, type Table } from './parse.ts'

/** Bytes of a table that are read. */
const MAX_BYTES = 64 * 1024 * 1024

/** A file with a table (http-api 5), parsed off the main thread. @throws ApiError */
export async function loadTable(document: DocumentProps, signal: AbortSignal): Promise<Table> {
  const cut = document.resource.size > MAX_BYTES
  const headers: HeadersInit = cut ? { Range: `bytes=0-${MAX_BYTES - 1}` } : {}
  const response = await api(sourceOf(document), { headers, signal, auth: document.source === undefined })
  // Without the permission to download, the response is 202 and empty.
  if (response.status === 202) throw new ApiError(403, 'forbidden')
  const { text } = decodeText(new Uint8Array(await response.arrayBuffer()), cut)
  const cells = await parseElsewhere(text, signal)
  return { text, cells, cut: cut || cells.cut }
}

/** In a worker, so that the page stays responsive; on the page if no worker starts. */
async function parseElsewhere(text: string, signal: AbortSignal): Promise<Cells> {
  let worker: Worker | undefined
  try {
    worker = new Worker(new URL('./parse.worker.ts', import.meta.url), { type: 'module' })
    return await askWorker<Cells>(worker, text, signal)
  } catch {
    signal.throwIfAborted()
    return parseCells(text)
  } finally {
    worker?.terminate()
  }
}
