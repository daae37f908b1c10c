import { parsePath } from '../../../../shared/path.ts'
import { ApiError } from '../../../lib/api.ts'
import { ChunkError } from '../../../lib/chunk.ts'
import { formatBytes } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { ExplainAccessButton } from '../../files/listing/empty-states.tsx'
import { Card } from '../card.tsx'
import { type DocumentProps, MAX_DOCUMENT_BYTES } from './bytes.ts'
import { type Unreadable, UnreadableError } from './unreadable.ts'

interface FailureProps extends DocumentProps {
  error: unknown
  onRetry: () => void
}

/** Why a document is not shown: it failed to load, or cannot be read. */
export function DocumentFailure({ resource, source, error, onRetry }: FailureProps) {
  if (error instanceof ApiError || error instanceof ChunkError)
    return (
      <LoadFailure error={error} onRetry={onRetry}>
        {source === undefined && <ExplainAccessButton error={error} path={parsePath(resource.path)} action="read" />}
      </LoadFailure>
    )
  const reason = error instanceof UnreadableError ? error.reason : 'damaged'
  const as = reason === 'unprepared' ? ('paper' as const) : undefined
  return <Card resource={resource} text={textOf(reason)} {...(as && { as })} shared={source !== undefined} />
}

function textOf(reason: Unreadable): string {
  if (reason === 'tooLarge') return t('preview.tooLarge', { limit: formatBytes(MAX_DOCUMENT_BYTES) })
  return t(`preview.${reason}`)
}
