import { apiUrl } from '../../lib/api.ts'
import { t } from '../../lib/i18n/index.ts'
import buttons from '../../ui/button.module.css'
import { Card } from '../../ui/card.tsx'
import form from '../../ui/form.module.css'
import { Download } from '../../ui/icons.ts'

/** What is stored of the user, and their files, as an archive. */
export function ExportCard() {
  return (
    <Card title={t('settings.export')} text={t('settings.exportText')}>
      <a className={`${buttons.button} ${buttons.plain} ${form.start}`} href={apiUrl('/api/account/export')} download>
        <Download size={18} aria-hidden />
        {t('settings.exportStart')}
      </a>
    </Card>
  )
}
