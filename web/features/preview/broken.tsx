import type { FileResource } from '../../../shared/api/resources.ts'
import { errorText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { useQuery } from '../../lib/query.ts'
import { fetchResource } from '../../lib/resource.ts'
import { Card } from './card.tsx'

/** What media the browser could not show: because the file did not come, or because it does not know its format. */
export function Broken({ resource }: { resource: FileResource }) {
  const { path, type } = resource
  const query = useQuery({
    queryKey: ['file', path],
    queryFn: ({ signal }) => fetchResource(path, false, signal),
  })
  if (query.isPending) return null
  const unknown = type === 'image' ? t('preview.imageUnknown') : t('preview.mediaUnknown')
  return <Card resource={resource} text={query.error ? errorText(query.error) : unknown} />
}
