import { Suspense } from 'react'
import { shownName } from '../../../../shared/bytes.ts'
import { nameOf, parsePath } from '../../../../shared/path.ts'
import { api, apiUrl } from '../../../lib/api.ts'
import { formatBytes } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { lazyTool } from '../../../lib/lazy.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { useQuery } from '../../../lib/query.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { rawPath } from '../../files/api/resource.ts'
import { ComparedImages } from '../compared-images.tsx'
import styles from './changed-text.module.css'

const Comparison = lazyTool(() => import('../code/comparison-part.ts'))

/** Largest texts that are compared, in bytes. */
const MAX_TEXT = 10 * 1024 * 1024
const IMAGE = /\.(?:jpe?g|png|gif|webp|avif|bmp|svg)$/i

interface CompareVersionsPromptProps {
  path: string
  /** The former content: its title, size and API call. */
  before: { title: string; size: number; source: string }
  /** Bytes of the current content. */
  size: number
  /** Returns to the list of versions. */
  onBack: () => void
}

/** Compares a former content of a file with the current one. */
export default function CompareVersionsPrompt({ path, before, size, onBack }: CompareVersionsPromptProps) {
  const name = nameOf(parsePath(path))
  const current = rawPath(path, true)
  const titles = { theirs: before.title, mine: t('versions.current') }
  const isSmall = before.size <= MAX_TEXT && size <= MAX_TEXT
  return (
    <Dialog
      wide="full"
      title={t('versions.compareTitle', { name: shownName(name) })}
      description={`${before.title} (${formatBytes(before.size)}) → ${t('versions.current')} (${formatBytes(size)})`}
      onClose={closePrompt}
      footer={
        <>
          <Button onClick={onBack}>{t('versions.back')}</Button>
          <Button kind="primary" onClick={closePrompt}>
            {t('common.close')}
          </Button>
        </>
      }
    >
      {IMAGE.test(name) ? (
        <ComparedImages before={apiUrl(before.source)} after={apiUrl(current)} titles={titles} />
      ) : isSmall ? (
        <Texts name={name} before={before.source} after={current} titles={titles} />
      ) : (
        <p>{t('versions.noText')}</p>
      )}
    </Dialog>
  )
}

interface TextsProps {
  name: string
  before: string
  after: string
  titles: { theirs: string; mine: string }
}

function Texts({ name, before, after, titles }: TextsProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['compared', before, after],
    queryFn: async ({ signal }) => Promise.all([fetchText(before, signal), fetchText(after, signal)]),
    gcTime: 0,
    staleTime: 0,
  })
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />
  if (!data) return <Spinner label={t('common.loading')} onRetry={() => void refetch()} />
  const [theirs, mine] = data
  if (theirs === undefined || mine === undefined) return <p>{t('versions.noText')}</p>
  if (theirs === mine) return <p>{t('versions.equal')}</p>
  return (
    <div className={styles.difference}>
      <Suspense fallback={<Spinner label={t('common.loading')} />}>
        <Comparison name={name} theirs={theirs} mine={mine} titles={titles} />
      </Suspense>
    </div>
  )
}

/** The text of a call; `undefined` for bytes that are no UTF-8. @throws ApiError */
async function fetchText(call: string, signal: AbortSignal): Promise<string | undefined> {
  const bytes = await (await api(call, { signal })).arrayBuffer()
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}
