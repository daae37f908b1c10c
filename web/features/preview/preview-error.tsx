import { ApiError, api } from '../../lib/api.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatFacts, formatList } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { useQuery } from '../../lib/query.ts'
import { fetchResource } from '../files/api/resource.ts'
import { formatQuery, type MediaFormat } from './api/codecs.ts'
import { Card } from './card.tsx'
import type { DocumentProps } from './document/bytes.ts'
import { imageCall } from './image-url.ts'

/** Why media could not be shown: the file failed to load, or the browser does not support its format. */
export function PreviewError(props: DocumentProps) {
  if (props.resource.type === 'image') return <ImageError {...props} />
  return props.source === undefined ? <OwnFileError {...props} /> : <MediaError {...props} />
}

/** An image: the format is at fault if the server reports no error. */
function ImageError({ resource, source }: DocumentProps) {
  const call = source ?? imageCall(resource)
  const { error, isPending } = useQuery({
    queryKey: ['image', call],
    queryFn: async ({ signal }) => (await api(call, { method: 'HEAD', signal, auth: source === undefined })).status,
  })
  if (isPending) return null
  return <Card resource={resource} text={imageText(error)} shared={source !== undefined} />
}

function imageText(error: Error | null): string {
  if (!error) return t('preview.imageUnknown')
  return error instanceof ApiError && error.status === 413 ? t('preview.imageLarge') : errorText(error)
}

function OwnFileError(props: DocumentProps) {
  const { resource } = props
  const query = useQuery({
    queryKey: ['file', resource.path],
    queryFn: ({ signal }) => fetchResource(resource.path, false, signal),
  })
  if (query.isPending) return null
  return query.error ? <Card resource={resource} text={errorText(query.error)} /> : <MediaError {...props} />
}

/** A video or audio file, with its format and the unsupported codec where these can be determined. */
function MediaError(props: DocumentProps) {
  const { resource, source } = props
  const { data, error, isPending } = useQuery(formatQuery(props))
  if (isPending) return null
  const text = error ? errorText(error) : (codecText(data) ?? t('preview.mediaUnknown'))
  const format = formatFacts([data?.container ?? [], data?.codecs ?? []].flat())
  return <Card resource={resource} text={text} format={format} shared={source !== undefined} />
}

/** Which codecs the browser does not play, if any. */
export function codecText(format: MediaFormat | undefined): string | undefined {
  return format?.unplayable.length ? t('preview.codec', { codec: formatList(format.unplayable) }) : undefined
}
