import { useState } from 'react'
import type { FileResource, ResourceItem } from '../../../../shared/api/resources.ts'
import { encodePath } from '../../../../shared/path.ts'
import { apiJson } from '../../../lib/api.ts'
import { errorText } from '../../../lib/error-text.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useQuery } from '../../../lib/query.ts'
import { Button } from '../../../ui/button.tsx'
import styles from './details.module.css'
import { CopyButton } from './fact.tsx'

/** The checksum algorithms (http-api 3.1), with their display names. */
const CHECKSUMS = [
  { algo: 'md5', name: 'MD5' },
  { algo: 'sha1', name: 'SHA-1' },
  { algo: 'sha256', name: 'SHA-256' },
  { algo: 'sha512', name: 'SHA-512' },
] as const

type ChecksumAlgo = (typeof CHECKSUMS)[number]['algo']

/** `GET /api/resources/{file}?checksum={algo}`: lower-case hex. @throws ApiError */
async function fetchChecksum(path: string, algo: ChecksumAlgo, signal: AbortSignal): Promise<string> {
  const url = `/api/resources${encodePath(path)}?checksum=${algo}`
  const { checksums } = await apiJson<FileResource>(url, { signal })
  return checksums?.[algo] ?? ''
}

/** The checksums of a file, each computed on request. */
export function Checksums({ item }: { item: ResourceItem }) {
  return (
    <section className={styles.checksums}>
      <h3 className={styles.heading}>{t('details.checksums')}</h3>
      <dl className={styles.facts}>
        {CHECKSUMS.map(checksum => (
          <Checksum key={checksum.algo} item={item} {...checksum} />
        ))}
      </dl>
    </section>
  )
}

function Checksum({ item, algo, name }: { item: ResourceItem } & (typeof CHECKSUMS)[number]) {
  const [wanted, setWanted] = useState(false)
  const query = useQuery({
    queryKey: ['checksum', item.path, item.modified, item.size, algo],
    queryFn: ({ signal }) => fetchChecksum(item.path, algo, signal),
    enabled: wanted,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const ask = () => {
    if (wanted) void query.refetch()
    setWanted(true)
  }
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd className={styles.checksum}>
        <span role="status" className={styles.hex}>
          {query.data ?? (query.error ? errorText(query.error) : '')}
        </span>
        {query.data === undefined ? (
          <Button
            kind="quiet"
            className={styles.calculate}
            busy={query.isFetching}
            aria-label={t('details.calculateOne', { name })}
            onClick={ask}
          >
            {t('details.calculate')}
          </Button>
        ) : (
          <CopyButton label={t('details.copyOne', { name })} text={query.data} />
        )}
      </dd>
    </div>
  )
}
