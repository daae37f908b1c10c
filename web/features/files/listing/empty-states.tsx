import { type FilePath, parentOf } from '../../../../shared/path.ts'
import { ApiError } from '../../../lib/api.ts'
import { errorDetail, errorText } from '../../../lib/error-text.ts'
import { t } from '../../../lib/i18n/index.ts'
import { openPrompt } from '../../../lib/prompts.ts'
import { filesUrl, navigate } from '../../../lib/router.tsx'
import { Button } from '../../../ui/button.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SlowNotice } from '../../../ui/slow-notice.tsx'
import styles from './listing.module.css'
import type { ListingLayout } from './use-view.tsx'

const SKELETON_ROWS = Array.from({ length: 12 }, (_, row) => row)

/** Placeholder rows, or tiles, of about the final size while the first listing loads. */
export function Skeleton({ layout, onRetry }: { layout: ListingLayout; onRetry: () => void }) {
  const { rowHeight, tile, gallery } = layout
  const form = gallery ? 'gallery' : tile ? 'mosaic' : 'list'
  return (
    <>
      <div className={styles.skeleton} data-form={form} role="status" aria-label={t('common.loading')}>
        {SKELETON_ROWS.map(row => (
          <div key={row} className={styles.skeletonRow} style={form === 'gallery' ? {} : { blockSize: rowHeight }}>
            <span className={styles.skeletonGlyph} />
            <span className={styles.skeletonText} />
          </div>
        ))}
      </div>
      <div className={styles.late}>
        <SlowNotice onRetry={onRetry} />
      </div>
    </>
  )
}

/** Shown when a folder fails to load, with the error text for its status. */
export function FolderError({ error, path, onRetry }: { error: unknown; path: FilePath; onRetry: () => void }) {
  return (
    <ErrorState text={errorText(error)} detail={errorDetail(error)}>
      <Button kind="primary" onClick={onRetry}>
        {t('common.retry')}
      </Button>
      {path !== '/' && <Button onClick={() => void navigate(filesUrl(parentOf(path), true))}>{t('files.goUp')}</Button>}
      <ExplainAccessButton error={error} path={path} />
    </ErrorState>
  )
}

interface ExplainAccessButtonProps {
  error: unknown
  path: FilePath
  /** What was refused: the listing of a folder unless given. */
  action?: 'list' | 'read'
}

/** Explains a refusal that an access rule causes; renders nothing for all others. */
export function ExplainAccessButton({ error, path, action = 'list' }: ExplainAccessButtonProps) {
  if (!(error instanceof ApiError) || (error.status !== 403 && error.status !== 404)) return null
  return <Button onClick={() => openPrompt('explainAccess', { path, action })}>{t('details.explainAccess')}</Button>
}
