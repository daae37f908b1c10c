import { allActions } from '../lib/actions.ts'
import { t } from '../lib/i18n/index.ts'
import { showKeys } from '../lib/keyboard.ts'
import { closePrompt } from '../lib/prompts.ts'
import { Dialog } from '../ui/dialog.tsx'
import styles from './help.module.css'

/** The keys that can be used, straight from the list of actions. */
export default function HelpPrompt() {
  const actions = allActions().filter(action => action.shortcut)
  return (
    <Dialog title={t('nav.helpTitle')} description={t('nav.helpText')} onClose={closePrompt}>
      <dl className={styles.keys}>
        {actions.map(action => (
          <div key={action.id} className={styles.row}>
            <dt>{t(action.labelKey)}</dt>
            <dd>
              <kbd className={styles.key}>{showKeys(action.shortcut ?? '')}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
