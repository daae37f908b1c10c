import type { FileResource } from '../../../../shared/api/resources.ts'
import { parsePath } from '../../../../shared/path.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useQuery } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { ExplainAccessButton } from '../../files/listing/empty-states.tsx'
import { draftKey } from '../drafts.ts'
import { loadWithDraft } from '../load-with-draft.ts'
import { ReadText } from './read-text.tsx'

/** A text to read: Markdown rendered, anything else with syntax highlighting. Follows the file. */
export default function ReadingViewer({ resource }: { resource: FileResource }) {
  const { user } = useSession()
  const { path, modified } = resource
  const key = draftKey(user?.id ?? 0, path)
  const { data, dataUpdatedAt, error, refetch } = useQuery({
    queryKey: ['reading', path, modified],
    queryFn: ({ signal }) => loadWithDraft(resource, key, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    structuralSharing: false,
  })
  const retry = () => void refetch()
  if (data) return <ReadText key={dataUpdatedAt} resource={resource} {...data} />
  if (error)
    return (
      <LoadFailure error={error} onRetry={retry}>
        <ExplainAccessButton error={error} path={parsePath(path)} action="read" />
      </LoadFailure>
    )
  return <Spinner label={t('common.loading')} onRetry={retry} />
}
