import { formatDate, formatRelative } from '../lib/i18n/format.ts'
import { t } from '../lib/i18n/index.ts'
import { type Notice, useNoticeLog } from '../lib/notices.ts'
import { closePrompt } from '../lib/prompts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { CircleAlert } from '../ui/icons.ts'
import styles from './notice-log.module.css'

/** The recent notices with their times. */
export default function NoticeLogPrompt() {
  const notices = useNoticeLog()
  return (
    <Dialog title={t('nav.notices')} onClose={closePrompt}>
      <div role="log" aria-label={t('nav.notices')}>
        {notices.length === 0 ? (
          <p className={styles.none}>{t('nav.noNotices')}</p>
        ) : (
          <ul className={styles.list}>
            {notices.map(notice => (
              <Entry key={notice.id} notice={notice} />
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  )
}

function Entry({ notice: { kind, text, at } }: { notice: Notice }) {
  return (
    <li className={styles.entry} data-kind={kind}>
      <p className={styles.text}>
        {kind === 'error' && <CircleAlert size={16} role="img" aria-label={t('nav.error')} />}
        {text}
      </p>
      <time className={styles.time} dateTime={new Date(at).toISOString()} title={formatDate(at)}>
        {formatRelative(at)}
      </time>
    </li>
  )
}
