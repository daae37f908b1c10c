import type { FileResource } from '../../../shared/api/resources.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatList } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { useQuery } from '../../lib/query.ts'
import { fetchResource } from '../../lib/resource.ts'
import { unplayableQuery } from './api/codecs.ts'
import { Card } from './card.tsx'

/** What media the browser could not show: because the file did not come, or because it does not know its format. */
export function Broken({ resource }: { resource: FileResource }) {
  const { path, type } = resource
  const query = useQuery({
    queryKey: ['file', path],
    queryFn: ({ signal }) => fetchResource(path, false, signal),
  })
  if (query.isPending) return null
  if (query.error) return <Card resource={resource} text={errorText(query.error)} />
  return type === 'image' ? (
    <Card resource={resource} text={t('preview.imageUnknown')} />
  ) : (
    <Silent resource={resource} />
  )
}

/** A film or a sound, with the codec that is at fault where that can be told. */
function Silent({ resource }: { resource: FileResource }) {
  const { data, isPending } = useQuery(unplayableQuery(resource))
  return isPending ? null : <Card resource={resource} text={codecText(data) ?? t('preview.mediaUnknown')} />
}

/** What is wrong, and what can be done about it; nothing when nothing is known to be wrong. */
export function codecText(names: readonly string[] | undefined): string | undefined {
  return names?.length ? t('preview.codec', { codec: formatList(names) }) : undefined
}
