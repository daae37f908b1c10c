import type { AuditRow, AuditWay } from '../../../shared/api/audit.ts'
import { shownName } from '../../../shared/bytes.ts'
import { codeText } from '../../lib/error-text.ts'
import { formatDate } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { Button } from '../../ui/button.tsx'
import { askToUndo } from '../files/operations/undo.ts'
import styles from './audit.module.css'
import { ACTION_LABELS } from './labels.ts'

/** Rows of the audit log. The browser skips layout of rows outside the view. */
export function AuditRows({ rows }: { rows: readonly AuditRow[] }) {
  return (
    <ol className={styles.rows}>
      {rows.map(row => (
        <Row key={row.id} row={row} />
      ))}
    </ol>
  )
}

function Row({ row }: { row: AuditRow }) {
  const { time, username, action, outcome, way, address, path, target, change } = row
  const about = [path, target].filter(text => text !== '')
  return (
    <li className={styles.row} data-refused={outcome === 'done' ? undefined : ''}>
      <span className={styles.what}>
        <strong>{t(ACTION_LABELS[action])}</strong>
        {username !== '' && <bdi className={styles.who}>{username}</bdi>}
        {outcome !== 'done' && (
          <span className={styles.code} title={outcome}>
            {refusalText(outcome) ?? outcome}
          </span>
        )}
      </span>
      <time className={styles.time} dateTime={time}>
        {formatDate(time)}
      </time>
      {about.length > 0 && (
        <span className={styles.about}>
          {about.map((text, at) => (
            <bdi key={at === 0 ? 'path' : 'target'}>{shownName(text)}</bdi>
          ))}
        </span>
      )}
      <span className={styles.from}>
        {wayText(way)} <code>{address}</code>
      </span>
      {change !== undefined && action !== 'purge' && action !== 'trash.expire' && (
        <Button kind="quiet" className={styles.undo} onClick={() => void askToUndo(change)}>
          {t(action === 'undo' ? 'audit.redo' : 'audit.undo')}
        </Button>
      )}
    </li>
  )
}

/**
 * The authentication method, unless it is the usual one; one without a text is shown by its name in the host's
 * settings.
 */
function wayText(way: AuditWay): string {
  if (way === 'session' || way === 'server') return ''
  if (way === 'share') return t('shares.link')
  if (way === 'dav') return 'WebDAV'
  return way === 'console' ? t('audit.console') : way
}

/** Refusals with another meaning here than on an error page. */
function refusalText(code: string): string | undefined {
  if (code === 'second_factor_required') return t('audit.factorDue')
  return code === 'wrong_credentials' ? t('auth.wrongCredentials') : codeText(code)
}
