import { useId } from 'react'
import type { FileResource, ResourceItem } from '../../../../shared/api/resources.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { apiText } from '../../../lib/api.ts'
import { t, useLocale } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { useQuery } from '../../../lib/query.ts'
import { Link, shownUrl } from '../../../lib/router.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { ChevronDown, EyeOff, Pencil } from '../../../ui/icons.ts'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { rawPath } from '../../files/api/resource.ts'
import { readmePreference } from '../../files/items/readme-preference.ts'
import { Rendered } from '../markdown/rendered.tsx'
import styles from './panel.module.css'

/** Largest note that is shown, in bytes. */
const MAX_NOTE = 256 * 1024

interface PanelProps {
  item: ResourceItem
  isOpen: boolean
}

/** A folder's note below its listing: rendered Markdown, or text as it is. */
export default function ReadmePanel({ item, isOpen }: PanelProps) {
  useLocale()
  const bodyId = useId()
  const name = shownName(item.name)
  const hide = () => {
    readmePreference.choose('off')
    notify('info', t('readme.hidden'))
  }
  return (
    <section className={styles.panel} aria-label={name} data-open={isOpen || undefined}>
      <div className={styles.head}>
        <h2 className={styles.title}>
          <button
            type="button"
            className={styles.fold}
            aria-expanded={isOpen}
            aria-controls={bodyId}
            onClick={() => readmePreference.choose(isOpen ? 'folded' : 'open')}
          >
            <ChevronDown size={16} aria-hidden />
            <bdi>{name}</bdi>
          </button>
        </h2>
        <Link to={shownUrl(item.path, 'text')} className={styles.edit} aria-label={t('readme.open', { name })}>
          <Pencil size={16} aria-hidden />
        </Link>
        <IconButton label={t('readme.hide')} onClick={hide}>
          <EyeOff size={16} aria-hidden />
        </IconButton>
      </div>
      <div id={bodyId} className={styles.body} hidden={!isOpen}>
        {isOpen && <Content item={item} />}
      </div>
    </section>
  )
}

/** In the tab order, so that the keyboard can scroll it. */
const SCROLLABLE = { tabIndex: 0 }

function Content({ item }: { item: ResourceItem }) {
  const { path, modified, size } = item
  const isShown = size <= MAX_NOTE
  const { data, error, refetch } = useQuery({
    queryKey: ['readme', path, modified, size],
    queryFn: ({ signal }) => apiText(rawPath(path), { signal }),
    enabled: isShown,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!isShown) return <p className={styles.tooLarge}>{t('readme.tooLarge')}</p>
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />
  if (data === undefined) return null
  if (item.name.endsWith('.md')) return <Rendered resource={item as FileResource} text={data} />
  return (
    <section className={styles.text} aria-label={shownName(item.name)} {...SCROLLABLE}>
      <pre dir="auto">{data}</pre>
    </section>
  )
}
