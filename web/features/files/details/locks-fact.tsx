import { isWithin, nameOf, parsePath } from '../../../../shared/path.ts'
import { t } from '../../../lib/i18n/index.ts'
import { openPrompt } from '../../../lib/prompts.ts'
import { useQuery } from '../../../lib/query.ts'
import { Button } from '../../../ui/button.tsx'
import { locksQuery } from '../api/locks.ts'
import { LockList } from '../locks/lock-list.tsx'
import styles from '../locks/locks.module.css'
import { Fact } from './fact.tsx'

/** The locks that hold at an item. Renders nothing without any. */
export default function LocksFact({ path }: { path: string }) {
  const { data } = useQuery(locksQuery(path))
  const locks = data?.locks.filter(lock => isWithin(parsePath(path), parsePath(lock.path))) ?? []
  if (locks.length === 0) return null
  return (
    <Fact label={t('locks.title')}>
      <LockList
        path={path}
        locks={locks}
        action={({ releasable }) =>
          releasable && (
            <Button
              kind="quiet"
              className={styles.release}
              onClick={() => openPrompt('locked', { path, name: nameOf(parsePath(path)) })}
            >
              {t('locks.release')}
            </Button>
          )
        }
      />
    </Fact>
  )
}
