import { UnreadableError } from '../document/unreadable.ts'
import { type Answer, readWorkbook } from './read-workbook.ts'

self.addEventListener('message', ({ data }: MessageEvent<Uint8Array>) => {
  self.postMessage(answerTo(data))
})

function answerTo(bytes: Uint8Array): Answer {
  try {
    return { sheets: readWorkbook(bytes) }
  } catch (error) {
    return { reason: error instanceof UnreadableError ? error.reason : 'damaged' }
  }
}
