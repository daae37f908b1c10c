import { useEffect, useMemo, useRef } from 'react'
import { type FilePath, isWithin } from '../../../../shared/path.ts'
import { actionById, runAction, useActionContext } from '../../../lib/actions.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useStore } from '../../../lib/store.ts'
import { Button } from '../../../ui/button.tsx'
import { uploadFoldersStore } from '../api/live-updates.ts'
import { useFilter } from './filter/store.ts'
import styles from './listing.module.css'

/** What a folder without rows shows. @param filtered whether it has items, none of which matches its filter */
export default function EmptyFolder({ path, filtered }: { path: FilePath; filtered: boolean }) {
  return filtered ? <NothingFound path={path} /> : <EmptyState path={path} />
}

/** The empty state of a folder with its actions; while uploads into it run, the state alone. */
function EmptyState({ path }: { path: FilePath }) {
  const arriving = useStore(uploadFoldersStore)
  const busy = useMemo(() => [...arriving].some(folder => isWithin(folder, path)), [arriving, path])
  return busy ? <p className={styles.empty}>{t('uploads.state.active')}</p> : <Empty />
}

function Empty() {
  const context = useActionContext()
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (document.activeElement === document.body) box.current?.focus()
  }, [])
  const actions = ['upload', 'newDir'].flatMap(id => actionById(id) ?? []).filter(action => action.visible(context))
  return (
    <div ref={box} className={styles.empty} tabIndex={-1}>
      <p className={styles.emptyTitle}>{t('files.empty')}</p>
      {actions.length > 0 && (
        <>
          <p className={styles.emptyHint}>{t('files.emptyDrop')}</p>
          <div className={styles.emptyActions}>
            {actions.map((action, index) => (
              <Button
                key={action.id}
                kind={index === 0 ? 'primary' : 'plain'}
                icon={<action.icon size={18} aria-hidden />}
                onClick={() => runAction(action)}
              >
                {t(action.labelKey)}
              </Button>
            ))}
          </div>
        </>
      )}
    </div>
  )
}

/** The empty state of a filter without matches. */
function NothingFound({ path }: { path: FilePath }) {
  const context = useActionContext()
  const actions = ['closeFilter', 'search'].flatMap(id => actionById(id) ?? [])
  return (
    <div className={styles.empty}>
      <p className={styles.emptyTitle}>{t('filter.nothing', { text: useFilter(path) ?? '' })}</p>
      <div className={styles.emptyActions}>
        {actions.map(action => (
          <Button
            key={action.id}
            icon={<action.icon size={18} aria-hidden />}
            onClick={() => runAction(action, context)}
          >
            {t(action.labelKey)}
          </Button>
        ))}
      </div>
    </div>
  )
}
