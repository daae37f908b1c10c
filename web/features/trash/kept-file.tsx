import { type FunctionComponent, Suspense } from 'react'
import type { FileResource } from '../../../shared/api/resources.ts'
import { apiText } from '../../lib/api.ts'
import { t } from '../../lib/i18n/index.ts'
import { useQuery } from '../../lib/query.ts'
import { EmptyList } from '../../ui/empty-list.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import type { RelatedUrls } from '../files/items/related-urls.ts'
import styles from './trash.module.css'

/** A viewer for files outside of the user's folders. */
type Viewer = FunctionComponent<{ resource: FileResource; source: string; relatedUrls: RelatedUrls }>

/** The viewer of a file, if there is one. */
export type FindViewer = (file: FileResource) => { component: Viewer } | undefined

/** Largest text shown in place, in bytes; larger files offer a download. */
const MAX_TEXT = 1024 * 1024

const NO_RELATED: RelatedUrls = {
  page: () => undefined,
  content: () => undefined,
  subtitles: () => '',
}

interface KeptFileProps {
  file: FileResource
  /** API call for its bytes, without the base URL. */
  source: string
  findViewer: FindViewer
}

/** A file, read only. */
export function KeptFile({ file, source, findViewer }: KeptFileProps) {
  const Viewer = findViewer(file)?.component
  if (Viewer) {
    return (
      <div className={styles.preview}>
        <Suspense fallback={<Spinner label={t('common.loading')} />}>
          <Viewer resource={file} source={source} relatedUrls={NO_RELATED} />
        </Suspense>
      </div>
    )
  }
  const isText = file.type === 'text' || file.type === 'textImmutable'
  if (!isText) return <EmptyList text={t('common.noPreview')} />
  if (file.size > MAX_TEXT) return <EmptyList text={t('publicShare.textTooLong')} />
  return <Text name={file.name} source={source} />
}

function Text({ name, source }: { name: string; source: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['trash', 'text', source],
    queryFn: ({ signal }) => apiText(source, { signal }),
  })
  if (data === undefined) {
    return error ? (
      <LoadFailure error={error} onRetry={() => void refetch()} />
    ) : (
      <Spinner label={t('common.loading')} onRetry={() => void refetch()} />
    )
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls is reached by keyboard
    <section className={styles.text} aria-label={name} tabIndex={0}>
      <pre dir="auto">{data}</pre>
    </section>
  )
}
