import { launch, loadRuntime, loadWalk } from '../../features/uploads/launch.ts'
import { actionById, canRun, useActionContext } from '../../lib/actions.ts'
import { formatFacts } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { useStore } from '../../lib/store.ts'
import { ActivityCard } from '../../ui/activity-card.tsx'
import { Button } from '../../ui/button.tsx'
import { type Received, receivedStore } from './received.ts'
import styles from './received-card.module.css'

/** Names on the card; the rest is counted in its title. */
const SHOWN_NAMES = 3

/** Files that another app has shared. They are uploaded into the folder that is open when the user says so. */
export default function ReceivedCard() {
  const received = useStore(receivedStore)
  const context = useActionContext()
  if (!received || !context.user) return null
  const { files } = received
  const upload = actionById('upload')
  const folder =
    upload && canRun(upload, context) && context.route.name === 'files' && context.view ? context.route.path : undefined
  const names = files.slice(0, SHOWN_NAMES).map(({ name }) => name)
  return (
    <ActivityCard label={t('received.region')} title={t('received.title', { count: files.length })}>
      <p className={styles.names}>{formatFacts(names)}</p>
      {folder === undefined && <p className={styles.hint}>{t('received.hint')}</p>}
      <div className={styles.foot}>
        <Button kind="quiet" onClick={() => void discard(received)}>
          {t('uploads.giveUp')}
        </Button>
        {folder !== undefined && (
          <Button kind="primary" onClick={() => void save(received, folder)}>
            {t('received.save')}
          </Button>
        )}
      </div>
    </ActivityCard>
  )
}

async function discard({ forget }: Received): Promise<void> {
  receivedStore.set(undefined)
  await forget()
}

/**
 * The cached copies go when every file has been uploaded, or skipped by the user. After a failure or a cancelled upload the
 * card is there again, and so it is in a page that is opened later.
 */
async function save(received: Received, folder: Parameters<typeof launch>[0]): Promise<void> {
  const { files, forget } = received
  receivedStore.set(undefined)
  // Loaded before the upload begins: a short one would end before the listener is there.
  const runtime = await loadRuntime().catch(() => undefined)
  await launch(
    folder,
    loadWalk().then(({ fromFiles }) => fromFiles(files)),
  )
  if (!runtime?.uploads.isRunning) return receivedStore.set(received)
  const stop = runtime.uploads.onSettled(({ done, skipped, failed }) => {
    stop()
    if (failed === 0 && done + skipped >= files.length) void forget()
    else receivedStore.set(received)
  })
}
