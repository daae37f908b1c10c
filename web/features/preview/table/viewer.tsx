import type { FileResource } from '../../../../shared/api/resources.ts'
import { formatNumber } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useQuery } from '../../../lib/query.ts'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { Tools } from '../tools.tsx'
import { loadTable } from './load-table.ts'
import styles from './table.module.css'
import { TableGrid } from './table-grid.tsx'

/** A table in a text, comma-separated or the like. */
export default function TableViewer({ resource }: { resource: FileResource }) {
  const { path, name, size, modified } = resource
  const { data, error, refetch } = useQuery({
    queryKey: ['table', path, modified],
    queryFn: ({ signal }) => loadTable(path, size, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    structuralSharing: false,
  })
  return (
    <div className={styles.viewer}>
      <Tools resource={resource} as="table">
        {data?.cut && (
          <span role="note">{t('preview.tableCut', { count: formatNumber(data.cells.ends.length / 2) })}</span>
        )}
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
