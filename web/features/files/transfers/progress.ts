import { t } from '../../../lib/i18n/index.ts'
import { notifyProgress, type ProgressNotice } from '../../../lib/notices.ts'

/** Milliseconds something may take before it is shown how far it is. */
const PATIENCE = 500

/** Tells how far something is, once it takes long enough to be asked. */
export interface Progress {
  /** Aborted when somebody does not want it any more. */
  signal: AbortSignal
  /** @param done of all */
  show(done: number): void
  end(): void
}

/** @param textOf the sentence for so many done of all */
export function beginProgress(total: number, textOf: (done: number, total: number) => string): Progress {
  const stop = new AbortController()
  let done = 0
  let notice: ProgressNotice | undefined
  const share = () => (total > 0 ? done / total : 0)
  const timer = setTimeout(() => {
    notice = notifyProgress(textOf(done, total), { label: t('transfer.stop'), run: () => stop.abort() })
    notice.update(textOf(done, total), share())
  }, PATIENCE)
  return {
    signal: stop.signal,
    show(now) {
      done = now
      if (!stop.signal.aborted) notice?.update(textOf(done, total), share())
    },
    end() {
      clearTimeout(timer)
      notice?.end()
    },
  }
}
