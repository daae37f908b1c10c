import type { ResourceItem } from '../../../shared/api/resources.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatNumber } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { runJob } from '../files/api/jobs.ts'

/** Verifies items as a job, whose progress the job panel shows. Never rejects. */
export async function verifyItems(items: readonly ResourceItem[]): Promise<void> {
  try {
    const { items: results } = await runJob({ kind: 'verify', items: items.map(({ path }) => ({ from: path })) })
    const count = (state: string) => results.filter(result => result.state === state).length
    const [done, failed] = [count('done'), count('failed')]
    if (failed > 0) notify('error', t('integrity.differs', { count: formatNumber(failed) }))
    else if (done > 0) notify('success', t('integrity.verified', { count: formatNumber(done) }))
  } catch (error) {
    notify('error', errorText(error))
  }
}
