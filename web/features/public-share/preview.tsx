import { type FunctionComponent, Suspense } from 'react'
import type { FileResource } from '../../../shared/api/resources.ts'
import { shownName } from '../../../shared/bytes.ts'
import { apiText } from '../../lib/api.ts'
import { errorText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { useQuery } from '../../lib/query.ts'
import { Spinner } from '../../ui/spinner.tsx'
import type { RelatedUrls } from '../files/items/related-urls.ts'
import styles from './preview.module.css'

/** Largest text shown in place, in bytes; larger files offer a download. */
const MAX_TEXT = 1024 * 1024

const TEXTS = new Set(['text', 'textImmutable'])
/** Types with a background of their own, in either theme. */
const DARK = new Set(['image', 'video', 'audio'])

export interface PreviewProps {
  file: FileResource
  /** API call for the content, without the base URL. */
  source: string
  relatedUrls: RelatedUrls
}

/** A viewer of shared files. */
export type SharedViewer = FunctionComponent<Omit<PreviewProps, 'file'> & { resource: FileResource }>

/** The viewer of a file, if there is one, and what it lies on in a shell. */
export type FindViewer = (file: FileResource) => { component: SharedViewer; paper?: 'pages' | 'sheet' } | undefined

/** A file in place: in its viewer, or as plain text. */
export function Preview({ viewer: Viewer, ...props }: PreviewProps & { viewer: SharedViewer | undefined }) {
  const { file, source, relatedUrls } = props
  if (!Viewer) return <Plain {...props} />
  return (
    <div className={styles.preview} data-type={DARK.has(file.type) ? file.type : 'document'}>
      <Suspense fallback={<Spinner label={t('common.loading')} />}>
        <Viewer resource={file} source={source} relatedUrls={relatedUrls} />
      </Suspense>
    </div>
  )
}

function Plain({ file, source }: PreviewProps) {
  if (!TEXTS.has(file.type)) return <Nothing text={t('common.noPreview')} />
  return (
    <div className={styles.preview} data-type={file.type}>
      {file.size > MAX_TEXT ? (
        <Nothing text={t('publicShare.textTooLong')} />
      ) : (
        <Text name={shownName(file.name)} source={source} />
      )}
    </div>
  )
}

function Text({ name, source }: { name: string; source: string }) {
  const query = useQuery({
    queryKey: ['public', 'text', source],
    queryFn: ({ signal }) => apiText(source, { signal, auth: false }),
  })
  if (query.data === undefined) {
    return query.error ? (
      <Nothing text={errorText(query.error)} />
    ) : (
      <Spinner label={t('common.loading')} onRetry={() => void query.refetch()} />
    )
  }
  return (
    <section className={styles.text} aria-label={name}>
      <pre dir="auto">{query.data}</pre>
    </section>
  )
}

function Nothing({ text }: { text: string }) {
  return <p className={styles.nothing}>{text}</p>
}
