import { useState } from 'react'
import type { FileResource } from '../../../../shared/api/resources.ts'
import { apiText } from '../../../lib/api.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useQuery } from '../../../lib/query.ts'
import { Button } from '../../../ui/button.tsx'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import type { RelatedUrls } from '../../files/items/related-urls.ts'
import { Rendered } from './rendered.tsx'
import styles from './shared.module.css'

interface SharedMarkdownProps {
  resource: FileResource
  /** API call for the text, without the base URL. */
  source: string
  relatedUrls: RelatedUrls
}

/** Largest text that is rendered, in bytes. */
const MAX_TEXT = 1024 * 1024

/** A Markdown file in a public share: rendered, or its source. */
export default function SharedMarkdown({ resource, source, relatedUrls }: SharedMarkdownProps) {
  const [asWritten, setAsWritten] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['public', 'text', source],
    queryFn: ({ signal }) => apiText(source, { signal, auth: false }),
    enabled: resource.size <= MAX_TEXT,
  })
  if (resource.size > MAX_TEXT) return <p className={styles.tooLong}>{t('publicShare.textTooLong')}</p>
  if (data === undefined) {
    return error ? (
      <LoadFailure error={error} onRetry={() => void refetch()} />
    ) : (
      <Spinner label={t('common.loading')} onRetry={() => void refetch()} />
    )
  }
  return (
    <div className={styles.shared}>
      <div className={styles.bar}>
        <Button kind="quiet" onClick={() => setAsWritten(!asWritten)}>
          {t(asWritten ? 'editor.rendered' : 'editor.source')}
        </Button>
      </div>
      {asWritten ? (
        <pre className={styles.text} dir="auto">
          {data}
        </pre>
      ) : (
        <Rendered resource={resource} text={data} relatedUrls={relatedUrls} />
      )}
    </div>
  )
}
