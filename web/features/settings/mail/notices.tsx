import type { AccountMail } from '../../../../shared/api/mail.ts'
import { FOR_ADMINISTRATORS, NOTICE_KINDS, type NoticeKind } from '../../../../shared/notice-kinds.ts'
import { errorText } from '../../../lib/error-text.ts'
import { type MessageKey, t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { useOnline } from '../../../lib/online.ts'
import { useSession } from '../../../lib/session.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { changeMailNotices, changeMailsOff } from '../api/mail.ts'
import styles from './mail.module.css'

const LABELS = {
  'share.uploaded': 'mail.noticeArrived',
  'grant.received': 'mail.noticeShared',
  'quota.warning': 'mail.noticeQuota',
  'job.failed': 'mail.noticeJobFailed',
  'job.done': 'mail.noticeJobDone',
  'webhook.off': 'mail.noticeWebhook',
  'mail.dead': 'mail.noticeDead',
  'health.red': 'mail.noticeHealth',
} as const satisfies Record<NoticeKind, MessageKey>

/** Which mails the caller wants: none, or those of some kinds. */
export function Notices({ notices, off }: Pick<AccountMail, 'notices' | 'off'>) {
  const online = useOnline()
  const { user } = useSession()
  const kinds = NOTICE_KINDS.filter(kind => user?.perm.admin || !FOR_ADMINISTRATORS.has(kind))
  const attempt = (change: Promise<void>) => void change.catch((error: unknown) => notify('error', errorText(error)))
  const toggle = (kind: NoticeKind, wanted: boolean) =>
    attempt(changeMailsOff(wanted ? off.filter(one => one !== kind) : [...off, kind]))
  return (
    <fieldset className={styles.notices}>
      <Checkbox
        label={t('mail.notices')}
        checked={notices}
        disabled={!online}
        onChange={wanted => attempt(changeMailNotices(wanted))}
      />
      {notices && (
        <div className={styles.kinds}>
          {kinds.map(kind => (
            <Checkbox
              key={kind}
              label={t(LABELS[kind])}
              checked={!off.includes(kind)}
              disabled={!online}
              onChange={wanted => toggle(kind, wanted)}
            />
          ))}
        </div>
      )}
    </fieldset>
  )
}
