import type { ReactNode } from 'react'
import { t } from '../../../lib/i18n/index.ts'
import { useQuery } from '../../../lib/query.ts'
import { Spinner } from '../../../ui/spinner.tsx'
import type { DocumentProps } from './bytes.ts'
import { DocumentFailure } from './failure.tsx'

interface LoadedProps<T> {
  document: DocumentProps
  /** Format name; part of the query's key. */
  kind: string
  load: (document: DocumentProps, signal: AbortSignal) => Promise<T>
  children: (loaded: T) => ReactNode
}

/** A document loaded in full, or why it is not shown. */
export function Loaded<T>({ document, kind, load, children }: LoadedProps<T>) {
  const { resource, source } = document
  const { data, error, refetch } = useQuery({
    queryKey: [kind, source ?? resource.path, resource.modified],
    queryFn: ({ signal }) => load(document, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    structuralSharing: false,
  })
  const retry = () => void refetch()
  if (data !== undefined) return children(data)
  if (error) return <DocumentFailure {...document} error={error} onRetry={retry} />
  return <Spinner label={t('common.loading')} onRetry={retry} />
}
