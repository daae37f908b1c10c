import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import type { OfficeDocument } from '../../../../shared/api/office.ts'
import type { FileResource } from '../../../../shared/api/resources.ts'
import { ApiError, apiJson } from '../../../lib/api.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useQuery } from '../../../lib/query.ts'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { Card } from '../card.tsx'
import { messageOf } from './messages.ts'
import styles from './viewer.module.css'

interface OfficeProps {
  resource: FileResource
  onClose: () => void
}

/** A document in the office editor of the host. */
export default function OfficeViewer({ resource, onClose }: OfficeProps) {
  const { path } = resource
  const { data, error, refetch } = useQuery({
    queryKey: ['office', path],
    queryFn: ({ signal }) =>
      apiJson<OfficeDocument>('/api/office/open', {
        method: 'POST',
        body: JSON.stringify({ path, mode: 'edit' }),
        signal,
      }),
    retry: false,
    // A token is for one frame.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  })
  if (data) return <Editor name={resource.name} document={data} onClose={onClose} />
  if (!error) return <Spinner label={t('preview.officeStarting')} />
  const text = textOf(error)
  if (text !== undefined) return <Card resource={resource} text={text} as="office" />
  return <LoadFailure error={error} onRetry={() => void refetch()} />
}

function textOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  if (error.status === 415) return t('preview.officeUnknown')
  return error.status === 503 || error.status === 501 ? t('preview.officeAway') : undefined
}

interface EditorProps {
  name: string
  document: OfficeDocument
  onClose: () => void
}

/** The frame with the editor. A form sends the token there, so that it is in no address. */
function Editor({ name, document: { action, token, ttl, writable }, onClose }: EditorProps) {
  const target = useId()
  const form = useRef<HTMLFormElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const [isStarting, setIsStarting] = useState(true)
  useEffect(() => form.current?.submit(), [])
  const onMessage = useEffectEvent((event: MessageEvent) => {
    const { origin } = new URL(action)
    const editor = frame.current?.contentWindow
    if (!editor || event.origin !== origin || event.source !== editor) return
    const message = messageOf(event.data)
    if (message === 'close') onClose()
    if (message !== 'ready') return
    setIsStarting(false)
    // Collabora sends no other message before this one.
    editor.postMessage(JSON.stringify({ MessageId: 'Host_PostmessageReady' }), origin)
  })
  useEffect(() => {
    const listen = (event: MessageEvent) => onMessage(event)
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }, [])
  return (
    <div className={styles.editor}>
      {!writable && <p className={styles.note}>{t('preview.officeReadOnly')}</p>}
      <form ref={form} action={action} method="post" target={target} hidden>
        <input type="hidden" name="access_token" value={token} />
        <input type="hidden" name="access_token_ttl" value={ttl} />
      </form>
      {isStarting && <Spinner label={t('preview.officeStarting')} />}
      <iframe
        ref={frame}
        name={target}
        title={name}
        className={styles.frame}
        allow="clipboard-read; clipboard-write; fullscreen"
        onLoad={() => setIsStarting(false)}
      />
    </div>
  )
}
