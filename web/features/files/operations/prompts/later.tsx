import { t } from '../../../../lib/i18n/index.ts'
import { openPrompt, type PromptProps } from '../../../../lib/prompts.ts'
import { Button } from '../../../../ui/button.tsx'
import { CalendarClock } from '../../../../ui/icons.ts'
import styles from './later.module.css'

/** Switches from an immediate operation to a scheduled one. */
export function Later({ disabled = false, ...what }: PromptProps['schedule'] & { disabled?: boolean }) {
  return (
    <Button
      kind="quiet"
      className={styles.later}
      icon={<CalendarClock size={18} aria-hidden />}
      disabled={disabled}
      onClick={() => openPrompt('schedule', what)}
    >
      {t('schedule.later')}
    </Button>
  )
}
