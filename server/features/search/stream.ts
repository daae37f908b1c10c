import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import { setImmediate as othersFirst } from 'node:timers/promises'
import type { SeveralFormat } from '../../responses/ndjson.ts'
import type { Hits } from './find.ts'

/** Milliseconds that results are buffered before they are sent; the first ones are sent at once. */
const FLUSH_AFTER = 10
/** Characters after which the buffer is sent at once. */
const FLUSH_AT = 16 * 1024
/** Milliseconds without a result after which a blank line shows that the search continues (http-api 9). */
export const HEARTBEAT = 5000

/**
 * Results as a body that is sent while they are found, with backpressure.
 * @param signal fires when the client disconnects
 */
export function streamHits(search: Hits, format: SeveralFormat, signal: AbortSignal): Readable {
  const out = new PassThrough()
  writeHits(out, search, format, signal).catch((thrown: unknown) => {
    out.destroy(signal.aborted || !(thrown instanceof Error) ? undefined : thrown)
  })
  return out
}

async function writeHits(
  out: PassThrough,
  { hits, count = { unread: 0 } }: Hits,
  format: SeveralFormat,
  signal: AbortSignal,
) {
  let waiting = format.start
  let found = 0
  let sentAt = Date.now()
  let first: NodeJS.Immediate | undefined
  const send = () => {
    sentAt = Date.now()
    const full = !out.write(waiting)
    waiting = ''
    return full
  }
  const sendAny = () => waiting !== '' && send()
  const timer = setInterval(() => {
    if (waiting === '' && Date.now() - sentAt >= HEARTBEAT) waiting = '\n'
    sendAny()
  }, FLUSH_AFTER)
  try {
    for await (const hit of hits) {
      waiting += `${found++ > 0 ? format.between : ''}${JSON.stringify(hit)}${format.after}`
      // Results of the same tick are sent together.
      first ??= setImmediate(sendAny)
      if (waiting.length < FLUSH_AT) continue
      // A socket that takes it all at once would otherwise starve other requests.
      if (send()) await once(out, 'drain', { signal })
      else await othersFirst()
    }
    out.end(waiting + format.end(count))
  } finally {
    clearInterval(timer)
    clearImmediate(first)
  }
}
