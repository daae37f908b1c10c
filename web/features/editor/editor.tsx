import type { FileResource } from '../../../shared/api/resources.ts'
import { t } from '../../lib/i18n/index.ts'
import { useQuery } from '../../lib/query.ts'
import { useSession } from '../../lib/session.ts'
import { useViewerCommands, useViewerKeys } from '../../lib/viewer-commands.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Overlay } from '../../ui/overlay.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { type EditorCommands, editorActions } from './actions.ts'
import { draftKey } from './drafts.ts'
import { EditorBar } from './editor-bar.tsx'
import { loadWithDraft } from './load-with-draft.ts'
import { TextDocument } from './text-document.tsx'

interface EditorProps {
  resource: FileResource
  onClose: () => void
}

/** A text file in the viewer or editor. */
export default function Editor({ resource, onClose }: EditorProps) {
  const { user } = useSession()
  const { path } = resource
  const key = draftKey(user?.id ?? 0, path)
  const query = useQuery({
    queryKey: ['text', path],
    queryFn: ({ signal }) => loadWithDraft(resource, key, signal),
    // Edits belong to the loaded text: it is never replaced automatically.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    structuralSharing: false,
  })
  useViewerCommands({ leave: onClose } satisfies EditorCommands)
  useViewerKeys(editorActions, { inText: true })
  return (
    <Overlay>
      {query.data && !query.isRefetching ? (
        <TextDocument
          key={query.dataUpdatedAt}
          resource={resource}
          {...query.data}
          draftKey={key}
          onReload={() => void query.refetch()}
          onClose={onClose}
        />
      ) : (
        <>
          <EditorBar name={resource.name} onClose={onClose} />
          {query.error ? (
            <LoadFailure error={query.error} onRetry={() => void query.refetch()} />
          ) : (
            <Spinner label={t('common.loading')} onRetry={() => void query.refetch()} />
          )}
        </>
      )}
    </Overlay>
  )
}
