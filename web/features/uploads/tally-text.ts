import { formatFacts } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import type { SettledReport } from './queue.ts'

/** Summary of a run: every outcome. */
export function tallyText({ done, skipped, failed }: SettledReport): string {
  const outcomes = [
    done > 0 && t('uploads.tallyDone', { count: done }),
    skipped > 0 && t('uploads.tallySkipped', { count: skipped }),
    failed > 0 && t('uploads.tallyFailed', { count: failed }),
  ]
  return formatFacts(outcomes.filter(outcome => outcome !== false))
}
