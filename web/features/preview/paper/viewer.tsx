import { encodePath } from '../../../../shared/path.ts'
import { ApiError, api } from '../../../lib/api.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useQuery } from '../../../lib/query.ts'
import { Spinner } from '../../../ui/spinner.tsx'
import { Card } from '../card.tsx'
import type { DocumentProps } from '../document/bytes.ts'
import { DocumentFailure } from '../document/failure.tsx'
import { UnreadableError } from '../document/unreadable.ts'
import PdfViewer from '../pdf/viewer.tsx'

/** An office document as the server prints it: a PDF. */
export default function PaperViewer(props: DocumentProps) {
  const { resource, source: shared } = props
  const source = pdfOf(props)
  const { data, error, refetch } = useQuery({
    queryKey: ['paper', source, resource.modified],
    queryFn: ({ signal }) => prepare(source, shared === undefined, signal),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const retry = () => void refetch()
  if (data) return <PdfViewer resource={resource} source={source} />
  if (error) return <DocumentFailure {...props} error={error} onRetry={retry} />
  return (
    <>
      <Spinner label={t('preview.preparing')} />
      <Card resource={resource} text={t('preview.preparing')} as="paper" shared={shared !== undefined} />
    </>
  )
}

/** The API call for the PDF of a document, without the base URL. */
const pdfOf = ({ resource, source }: DocumentProps): string =>
  source?.replace('/api/public/dl/', '/api/public/paper/') ?? `/api/paper${encodePath(resource.path)}?inline=true`

/** Waits until the server has converted a document. @throws ApiError @throws UnreadableError */
async function prepare(source: string, auth: boolean, signal: AbortSignal): Promise<true> {
  for (;;) {
    const response = await api(source, { method: 'HEAD', signal, auth }).catch((error: unknown) => {
      throw error instanceof ApiError ? translated(error) : error
    })
    if (response.status !== 202) return true
    await seconds(Number(response.headers.get('Retry-After')) || 1, signal)
  }
}

function translated(error: ApiError): Error {
  if (error.status === 413) return new UnreadableError('tooLarge', error)
  return error.status === 422 ? new UnreadableError('unprepared', error) : error
}

function seconds(count: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, count * 1000)
    const onAbort = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    signal.addEventListener('abort', onAbort, { once: true })
  })
}
