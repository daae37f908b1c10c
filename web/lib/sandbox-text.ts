import { pageConfig } from './config.ts'
import { t } from './i18n/index.ts'

/** What the commands of this server can access, for the users who run them or grant them. */
export function sandboxText(): string {
  switch (pageConfig.ExecSandbox) {
    case 'bubblewrap':
      return t('terminal.sandbox')
    case 'none':
      return t('terminal.noSandbox')
    case 'missing':
      return t('terminal.sandboxMissing')
  }
}
