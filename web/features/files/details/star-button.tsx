import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { actionById, canRun, runAction, useActionContext } from '../../../lib/actions.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useStore } from '../../../lib/store.ts'
import { IconButton } from '../../../ui/button.tsx'
import { starredStore } from '../items/starred.ts'
import styles from './details.module.css'

/** Stars the item, or removes its star. */
export function StarButton({ item }: { item: ResourceItem }) {
  const context = { ...useActionContext(), selection: [item] }
  const isOn = useStore(starredStore).has(item.path)
  const action = actionById(isOn ? 'unstar' : 'star')
  if (!action?.visible(context)) return null
  return (
    <IconButton
      label={t(action.labelKey)}
      keys="Alt+S"
      className={styles.star}
      data-on={isOn || undefined}
      disabled={!canRun(action, context)}
      onClick={() => runAction(action, context)}
    >
      <action.icon size={18} aria-hidden />
    </IconButton>
  )
}
