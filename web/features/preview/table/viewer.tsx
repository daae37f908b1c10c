import { t } from '../../../lib/i18n/index.ts'
import { useQuery } from '../../../lib/query.ts'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import type { DocumentProps } from '../document/bytes.ts'
import { Tools } from '../tools.tsx'
import { CutNote } from './cut-note.tsx'
import { loadTable } from './load-table.ts'
import styles from './table.module.css'
import { TableGrid } from './table-grid.tsx'

/** A table in a text file, comma-separated or similar. */
export default function TableViewer(props: DocumentProps) {
  const { resource, source } = props
  const { path, name, modified } = resource
  const { data, error, refetch } = useQuery({
    queryKey: ['table', source ?? path, modified],
    queryFn: ({ signal }) => loadTable(props, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    structuralSharing: false,
  })
  return (
    <div className={styles.viewer}>
      <Tools resource={resource} as="table" shared={source !== undefined}>
        {data && <CutNote table={data} />}
      </Tools>
      {data ? (
        <TableGrid key={path} name={name} table={data} />
      ) : error ? (
        <LoadFailure error={error} onRetry={() => void refetch()} />
      ) : (
        <Spinner label={t('common.loading')} onRetry={() => void refetch()} />
      )}
    </div>
  )
}
