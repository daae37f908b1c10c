import { t } from '../../../lib/i18n/index.ts'
import { navigate, shownUrl } from '../../../lib/router.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Binary, Search, SquarePen, TextWrap } from '../../../ui/icons.ts'
import styles from './reading.module.css'

interface ReadingBarProps {
  path: string
  wrap: boolean
  commands: { edit?: () => void; find?: () => void; wrap?: () => void }
}

/** The tools of a text to read. */
export function ReadingBar({ path, wrap, commands }: ReadingBarProps) {
  return (
    <div className={styles.bar}>
      {commands.find && (
        <IconButton label={t('actions.find')} keys="Ctrl+F" onClick={commands.find}>
          <Search size={18} aria-hidden />
        </IconButton>
      )}
      {commands.wrap && (
        <IconButton label={t('actions.wrap')} keys="Alt+Z" aria-pressed={wrap} onClick={commands.wrap}>
          <TextWrap size={18} aria-hidden />
        </IconButton>
      )}
      <span className={styles.ways}>
        <IconButton label={t('preview.asHex')} onClick={() => void navigate(shownUrl(path, 'hex'), { replace: true })}>
          <Binary size={18} aria-hidden />
        </IconButton>
        {commands.edit && (
          <Button kind="primary" icon={<SquarePen size={18} aria-hidden />} onClick={commands.edit}>
            {t('actions.edit')}
          </Button>
        )}
      </span>
    </div>
  )
}
