import { useActionContext } from '../../../lib/actions.ts'
import { t } from '../../../lib/i18n/index.ts'
import { Toolbar } from '../../../ui/toolbar.tsx'
import { buttonProps, More, phoneActions } from './bar-actions.tsx'
import styles from './selection-bar.module.css'

/** Buttons in the bar, including the menu button. */
const BUTTONS = 5

/** The actions in a bar at the bottom, on a phone. */
export default function PhoneActions() {
  const context = useActionContext()
  const actions = phoneActions(context)
  const all = actions.length <= BUTTONS
  const shown = all ? actions : actions.slice(0, BUTTONS - 1)
  if (actions.length === 0) return null
  return (
    <Toolbar className={styles.phone} label={t('files.menu')} atBottom>
      {shown.map(action => (
        <button key={action.id} type="button" className={styles.phoneAction} {...buttonProps(action, context)}>
          <action.icon size={20} aria-hidden />
          <span className={styles.phoneLabel}>{t(action.labelKey)}</span>
        </button>
      ))}
      <More actions={all ? [] : actions.slice(shown.length)} context={context} />
    </Toolbar>
  )
}
