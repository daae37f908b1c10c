import type { LockInfo } from '../../../../shared/api/locks.ts'
import { t } from '../../../lib/i18n/index.ts'

/** Who holds a lock, with which program. */
export function holderOf({ mine, who, label: program }: LockInfo): string {
  if (mine) return t('locks.byYou', { program })
  return who === undefined ? t('locks.byOther', { program }) : t('locks.by', { who, program })
}
