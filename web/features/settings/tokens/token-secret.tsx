import type { NewToken } from '../../../../shared/api/tokens.ts'
import { encodePath, type FilePath } from '../../../../shared/path.ts'
import { t } from '../../../lib/i18n/index.ts'
import { href } from '../../../lib/router.tsx'
import { SecretDialog } from '../../../ui/secret-dialog.tsx'
import styles from './tokens.module.css'

/** The secret of a new token, with a command that uses it. */
export function TokenSecret({ made }: { made: NewToken }) {
  return (
    <SecretDialog
      title={t('tokens.madeTitle')}
      description={t('tokens.madeText')}
      secret={made.token}
      copy={t('tokens.copy')}
      copied={t('tokens.copied')}
      byHand={t('tokens.copyByHand')}
      notCopied={t('tokens.notCopied')}
    >
      <p className={styles.facts}>{t('tokens.example')}</p>
      <pre className={styles.example} dir="ltr" translate="no">
        {exampleOf(made)}
      </pre>
    </SecretDialog>
  )
}

/** A command that lists what the token reaches. It does not repeat the secret. */
function exampleOf({ folders: [folder = '/'], scopes }: NewToken): string {
  const path = scopes.includes('read')
    ? `/api/resources${encodePath(folder as FilePath).replace(/\/?$/, '/')}`
    : '/api/users'
  return `curl -H "Authorization: Bearer flg_…" \\\n${location.origin}${href(path)}`
}
