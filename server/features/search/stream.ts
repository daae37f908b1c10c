import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import type { SearchHit } from '../../../shared/api/search.ts'

/** Milliseconds that results wait for company before they are sent. */
const FLUSH_AFTER = 100
/** Characters that are sent at once. */
const FLUSH_AT = 16 * 1024
/** Milliseconds without a result after which a blank line shows that the search is still going on (contract 9). */
export const HEARTBEAT = 5000

/** How results are put into a body; blank lines between them mean nothing in either. */
export interface HitFormat {
  type: string
  start: string
  between: string
  after: string
  end: string
}

export const FORMATS = {
  array: { type: 'application/json; charset=utf-8', start: '[', between: ',', after: '', end: ']' },
  lines: { type: 'application/x-ndjson; charset=utf-8', start: '', between: '', after: '\n', end: '' },
} as const satisfies Record<string, HitFormat>

/**
 * Results as a body that is sent while they are found, no faster than it is read.
 * @param signal fires when nobody reads any more
 */
export function streamHits(hits: AsyncIterable<SearchHit>, format: HitFormat, signal: AbortSignal): Readable {
  const out = new PassThrough()
  writeHits(out, hits, format, signal).catch((thrown: unknown) => {
    out.destroy(signal.aborted || !(thrown instanceof Error) ? undefined : thrown)
  })
  return out
}

async function writeHits(out: PassThrough, hits: AsyncIterable<SearchHit>, format: HitFormat, signal: AbortSignal) {
  let waiting = format.start
  let found = 0
  let sentAt = Date.now()
  const send = () => {
    sentAt = Date.now()
    const full = !out.write(waiting)
    waiting = ''
    return full
  }
  const timer = setInterval(() => {
    if (waiting === '' && Date.now() - sentAt >= HEARTBEAT) waiting = '\n'
    if (waiting !== '') send()
  }, FLUSH_AFTER)
  try {
    for await (const hit of hits) {
      waiting += `${found++ > 0 ? format.between : ''}${JSON.stringify(hit)}${format.after}`
      if (waiting.length >= FLUSH_AT && send()) await once(out, 'drain', { signal })
    }
    out.end(waiting + format.end)
  } finally {
    clearInterval(timer)
  }
}
