import { askWorker } from '../ask-worker.ts'
import { type DocumentProps, fetchDocument } from '../document/bytes.ts'
import { UnreadableError } from '../document/unreadable.ts'
import type { Answer, Sheet } from './read-workbook.ts'

/** The sheets of a workbook, read in a worker. @throws ApiError @throws UnreadableError */
export async function loadWorkbook(document: DocumentProps, signal: AbortSignal): Promise<Sheet[]> {
  const bytes = await fetchDocument(document, signal)
  const worker = new Worker(new URL('./workbook.worker.ts', import.meta.url), { type: 'module' })
  try {
    const answer = await askWorker<Answer>(worker, bytes, signal, [bytes.buffer])
    if ('reason' in answer) throw new UnreadableError(answer.reason)
    return answer.sheets
  } finally {
    worker.terminate()
  }
}
