import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { NOTICE_REST } from '../../shared/limits.ts'
import { copyText } from '../lib/clipboard.ts'
import { pageConfig } from '../lib/config.ts'
import { t } from '../lib/i18n/index.ts'
import { dismissNotice, type Notice, type NoticeAction, notify, useNotices } from '../lib/notices.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { X } from '../ui/icons.ts'
import styles from './notices.module.css'

/** The corner where notices appear. Hover, focus and a hidden tab pause their timers; a passing finger does not. */
export function NoticeRegion() {
  const notices = useNotices()
  const [touched, setHeld] = useState(false)
  const held = useHidden() || touched
  const none = notices.length === 0
  useEffect(() => {
    // Removing an element under the pointer or with the focus fires no leave event.
    if (none) setHeld(false)
  }, [none])
  const errors = notices.filter(notice => notice.kind === 'error')
  const others = notices.filter(notice => notice.kind !== 'error')
  return (
    <section
      className={styles.region}
      aria-label={t('nav.notices')}
      data-region=""
      data-notices=""
      onPointerEnter={({ pointerType }) => setHeld(pointerType !== 'touch')}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div role="alert" className={styles.list}>
        {errors.map(notice => (
          <NoticeCard key={notice.id} notice={notice} held={held} />
        ))}
      </div>
      <div role="status" className={styles.list}>
        {others.map(notice => (
          <NoticeCard key={notice.id} notice={notice} held={held} />
        ))}
      </div>
    </section>
  )
}

function NoticeCard({ notice, held }: { notice: Notice; held: boolean }) {
  const { id, kind, text, actions, timeout } = notice
  const rest = useRef(timeout)
  useEffect(() => {
    if (held || timeout === Number.POSITIVE_INFINITY) return
    const began = Date.now()
    const timer = setTimeout(() => dismissNotice(id), rest.current)
    return () => {
      clearTimeout(timer)
      rest.current = Math.max(NOTICE_REST, rest.current - (Date.now() - began))
    }
  }, [id, timeout, held])
  const act = (action: NoticeAction) => {
    dismissNotice(id)
    action.run()
  }
  return (
    <div className={styles.notice} data-kind={kind}>
      <p className={styles.text}>{text}</p>
      {actions.map(action => (
        <Button key={action.label} kind="quiet" className={styles.action} onClick={() => act(action)}>
          {action.label}
        </Button>
      ))}
      {kind === 'error' && !pageConfig.DisableExternal && (
        <Button kind="quiet" className={styles.action} onClick={() => void report(text)}>
          {t('errors.reportIssue')}
        </Button>
      )}
      <IconButton label={t('common.close')} className={styles.close} onClick={() => dismissNotice(id)}>
        <X size={16} aria-hidden />
      </IconButton>
    </div>
  )
}

/** Whether the tab is hidden. */
function useHidden(): boolean {
  return useSyncExternalStore(followVisibility, isHidden)
}

const isHidden = () => document.visibilityState === 'hidden'

function followVisibility(onChange: () => void): () => void {
  document.addEventListener('visibilitychange', onChange)
  return () => document.removeEventListener('visibilitychange', onChange)
}

/** Copies the details for a bug report to the clipboard; nothing leaves the browser. */
async function report(text: string): Promise<void> {
  const facts = [
    text,
    location.pathname,
    `Filigree ${pageConfig.Version}`,
    navigator.userAgent,
    new Date().toISOString(),
  ]
  if (await copyText(facts.join('\n'))) notify('info', t('errors.reportCopied'))
}
