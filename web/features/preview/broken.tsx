import { errorText } from '../../lib/error-text.ts'
import { formatList } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { useQuery } from '../../lib/query.ts'
import { fetchResource } from '../../lib/resource.ts'
import { unplayableQuery } from './api/codecs.ts'
import { Card } from './card.tsx'
import type { DocumentProps } from './document/bytes.ts'

/** What media the browser could not show: because the file did not come, or because it does not know its format. */
export function Broken(props: DocumentProps) {
  return props.source === undefined ? <Own {...props} /> : <Unknown {...props} />
}

function Own({ resource }: DocumentProps) {
  const { path } = resource
  const query = useQuery({
    queryKey: ['file', path],
    queryFn: ({ signal }) => fetchResource(path, false, signal),
  })
  if (query.isPending) return null
  return query.error ? <Card resource={resource} text={errorText(query.error)} /> : <Unknown resource={resource} />
}

function Unknown(props: DocumentProps) {
  const { resource, source } = props
  if (resource.type !== 'image') return <Silent {...props} />
  return <Card resource={resource} text={t('preview.imageUnknown')} shared={source !== undefined} />
}

/** A film or a sound, with the codec that is at fault where that can be told. */
function Silent(props: DocumentProps) {
  const { resource, source } = props
  const { data, error, isPending } = useQuery(unplayableQuery(props))
  if (isPending) return null
  const text = error ? errorText(error) : (codecText(data) ?? t('preview.mediaUnknown'))
  return <Card resource={resource} text={text} shared={source !== undefined} />
}

/** What is wrong, and what can be done about it; nothing when nothing is known to be wrong. */
export function codecText(names: readonly string[] | undefined): string | undefined {
  return names?.length ? t('preview.codec', { codec: formatList(names) }) : undefined
}
