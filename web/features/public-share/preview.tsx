import { useState } from 'react'
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

const SHOWN = new Set(['image', 'video', 'audio', 'pdf', 'text', 'textImmutable'])

/** Whether a browser can show a file of this kind. */
export function hasPreview({ type }: Pick<FileResource, 'type'>): boolean {
  return SHOWN.has(type)
}

export interface PreviewProps {
  file: FileResource
  /** Call that answers the content, without the base URL. */
  source: string
}

/** A file in place, by the browser's own means. */
export function Preview({ file, source }: PreviewProps) {
  const [broken, setBroken] = useState(false)
  if (broken || !hasPreview(file)) return <Nothing text={t('common.noPreview')} />
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
  if (type === 'pdf') return <iframe className={styles.document} src={url} title={name} />
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
