import { useState } from 'react'
import type { ArchiveItem } from '../../../../shared/api/archives.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { parsePath } from '../../../../shared/path.ts'
import { apiText, apiUrl } from '../../../lib/api.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useQuery } from '../../../lib/query.ts'
import buttons from '../../../ui/button.module.css'
import { Download } from '../../../ui/icons.ts'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import styles from './archive.module.css'
import type { ArchiveSource } from './source.ts'

/** Largest text shown in place, in bytes. */
const MAX_TEXT = 1024 * 1024
/** Image types that the server sends for display. */
const PICTURE = /\.(?:png|jpe?g|gif|webp|avif|bmp)$/i
/** In the tab order, so that the keyboard can scroll it. */
const SCROLLABLE = { tabIndex: 0, 'data-arrows': true }

const isText = ({ type }: ArchiveItem) => type === 'text'

/** Whether a file in an archive is shown in place; all others are saved. */
export const canShow = (item: ArchiveItem): boolean => (isText(item) ? item.size <= MAX_TEXT : PICTURE.test(item.name))

interface MemberViewProps {
  source: ArchiveSource
  item: ArchiveItem
}

/** A text or an image in an archive. */
export function MemberView({ source, item }: MemberViewProps) {
  const place = parsePath(item.path)
  return (
    <div className={styles.member}>
      <a
        className={`${buttons.button} ${buttons.plain}`}
        href={apiUrl(source.member(place, false))}
        download={item.name}
      >
        <Download size={18} aria-hidden />
        {t('common.download')}
      </a>
      {isText(item) ? <Text source={source} item={item} /> : <Picture source={source} item={item} />}
    </div>
  )
}

function Picture({ source, item }: MemberViewProps) {
  const [broken, setBroken] = useState(false)
  if (broken) return <p className={styles.empty}>{t('common.noPreview')}</p>
  const url = apiUrl(source.member(parsePath(item.path), true))
  return <img className={styles.picture} src={url} alt={shownName(item.name)} onError={() => setBroken(true)} />
}

function Text({ source, item }: MemberViewProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['archive', source.key, 'text', item.path],
    queryFn: ({ signal }) => apiText(source.member(parsePath(item.path), true), { signal, auth: source.auth }),
  })
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Spinner label={t('common.loading')} onRetry={() => void refetch()} />
  return (
    <section className={styles.text} aria-label={shownName(item.name)} {...SCROLLABLE}>
      <pre dir="auto">{data}</pre>
    </section>
  )
}
