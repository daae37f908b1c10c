import { type FunctionComponent, Suspense, useState } from 'react'
import type { FileResource } from '../../../shared/api/resources.ts'
import { shownName } from '../../../shared/bytes.ts'
import { apiText, apiUrl } from '../../lib/api.ts'
import { errorText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { useQuery } from '../../lib/query.ts'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './preview.module.css'

/** Largest text that is shown, in bytes; longer ones are better downloaded. */
const MAX_TEXT = 1024 * 1024

/** What a browser can show by itself. */
const SHOWN = new Set(['image', 'video', 'audio', 'text', 'textImmutable'])

/** Shows a shared file of some kind. `source` is the call that answers its content, without the base URL. */
export type SharedViewer = FunctionComponent<{ resource: FileResource; source: string }>

/** The viewer of a file that browsers do not show by themselves, if there is one. */
export type FindViewer = (file: FileResource) => SharedViewer | undefined

export interface PreviewProps {
  file: FileResource
  /** Call that answers the content, without the base URL. */
  source: string
}

/** A file in place: by its viewer, else by the browser's own means. */
export function Preview({ viewer: Viewer, ...props }: PreviewProps & { viewer: SharedViewer | undefined }) {
  if (!Viewer) return <Plain {...props} />
  return (
    <div className={styles.preview} data-type="document">
      <Suspense fallback={<Spinner label={t('common.loading')} />}>
        <Viewer resource={props.file} source={props.source} />
      </Suspense>
    </div>
  )
}

function Plain({ file, source }: PreviewProps) {
  const [broken, setBroken] = useState(false)
  if (broken || !SHOWN.has(file.type)) return <Nothing text={t('common.noPreview')} />
  return (
    <div className={styles.preview} data-type={file.type}>
      <Content file={file} source={source} onBroken={() => setBroken(true)} />
    </div>
  )
}

function Content({ file, source, onBroken }: PreviewProps & { onBroken: () => void }) {
  const { type } = file
  const name = shownName(file.name)
  const url = apiUrl(source)
  if (type === 'image') return <img className={styles.image} src={url} alt={name} onError={onBroken} />
  if (type === 'video' || type === 'audio') {
    const Player = type
    return (
      <Player className={styles[type]} src={url} controls preload="metadata" aria-label={name} onError={onBroken} />
    )
  }
  return file.size > MAX_TEXT ? <Nothing text={t('publicShare.textTooLong')} /> : <Text name={name} source={source} />
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
