import type { ResourceItem } from '../../../../../shared/api/resources.ts'
import { t } from '../../../../lib/i18n/index.ts'
import { openPrompt } from '../../../../lib/prompts.ts'
import { Button } from '../../../../ui/button.tsx'
import { CalendarClock } from '../../../../ui/icons.ts'
import type { TransferAction } from '../../api/resource.ts'
import styles from './later.module.css'

interface LaterProps {
  action: TransferAction | 'delete'
  items: readonly ResourceItem[]
  destination?: string
  verify?: boolean
  /** For `delete`: for good, not to the trash. */
  permanent?: boolean
  disabled?: boolean
}

/** Switches from an immediate operation to a scheduled one. */
export function Later({ disabled = false, ...what }: LaterProps) {
  return (
    <Button
      kind="quiet"
      className={styles.later}
      icon={<CalendarClock size={18} aria-hidden />}
      disabled={disabled}
      onClick={() => openPrompt('schedule', what)}
    >
      {t('jobs.later')}
    </Button>
  )
}
