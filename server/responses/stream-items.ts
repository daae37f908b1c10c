import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import { setImmediate as othersFirst } from 'node:timers/promises'
import type { SeveralFormat, Unread } from './ndjson.ts'

/** Items that are found one by one. */
interface Items<T> {
  items: AsyncIterable<T>
  /** Complete once all items were read. */
  count?: Unread
}

/** Milliseconds that items are buffered before they are sent; the first ones are sent at once. */
const FLUSH_AFTER = 10
/** Characters after which the buffer is sent at once. */
const FLUSH_AT = 16 * 1024
/** Milliseconds without an item after which the format's `beat` shows that the work continues (http-api 9). */
export const HEARTBEAT = 5000

/**
 * A body that is sent while its items are found, with backpressure.
 * @param signal fires when the client disconnects
 */
export function streamItems<T>(items: Items<T>, format: SeveralFormat, signal: AbortSignal): Readable {
  const out = new PassThrough()
  writeItems(out, items, format, signal).catch((thrown: unknown) => {
    out.destroy(signal.aborted || !(thrown instanceof Error) ? undefined : thrown)
  })
  return out
}

async function writeItems<T>(
  out: PassThrough,
  { items, count = { unread: 0 } }: Items<T>,
  format: SeveralFormat,
  signal: AbortSignal,
) {
  let waiting = format.start
  let found = 0
  let sentAt = Date.now()
  let first: NodeJS.Immediate | undefined
  const send = () => {
    sentAt = Date.now()
    const full = !out.write(format.encode?.(waiting) ?? waiting)
    waiting = ''
    return full
  }
  const sendAny = () => waiting !== '' && send()
  const timer = setInterval(() => {
    if (waiting === '' && Date.now() - sentAt >= HEARTBEAT) waiting = format.beat
    sendAny()
  }, FLUSH_AFTER)
  try {
    for await (const item of items) {
      waiting += `${found++ > 0 ? format.between : ''}${format.item(item)}${format.after}`
      // Results of the same tick are sent together.
      first ??= setImmediate(sendAny)
      if (waiting.length < FLUSH_AT) continue
      // A socket that takes it all at once would otherwise starve other requests.
      if (send()) await once(out, 'drain', { signal })
      else await othersFirst()
    }
    waiting += format.end(count)
    out.end(format.encode?.(waiting) ?? waiting)
  } finally {
    clearInterval(timer)
    clearImmediate(first)
  }
}
