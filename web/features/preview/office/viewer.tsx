import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import type { OfficeDocument } from '../../../../shared/api/office.ts'
import type { FileResource } from '../../../../shared/api/resources.ts'
import { ApiError } from '../../../lib/api.ts'
import { errorText } from '../../../lib/error-text.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useQuery } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { Card } from '../card.tsx'
import { type EditorNews, messageOf } from './messages.ts'
import { Notes } from './notes.tsx'
import { openDocument } from './open.ts'
import { useHeldSession } from './use-held-session.ts'
import styles from './viewer.module.css'

interface OfficeProps {
  resource: FileResource
  onClose: () => void
}

/** A document in the office editor of the host. */
export default function OfficeViewer({ resource, onClose }: OfficeProps) {
  const { path } = resource
  const userId = useSession().user?.id
  const { data, error, refetch } = useQuery({
    queryKey: ['office', path, userId],
    queryFn: ({ signal }) => openDocument(path, signal),
    retry: false,
    // A token is for one frame.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  })
  const retry = () => void refetch()
  if (data) return <Editor key={data.token} {...{ resource, onClose }} document={data} onRetry={retry} />
  if (!error) return <Spinner label={t('preview.officeStarting')} />
  const text = textOf(error)
  if (text !== undefined) return <Card resource={resource} text={text} as="office" />
  return <LoadFailure error={error} onRetry={retry} />
}

function textOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  if (error.status === 415) return t('preview.officeUnknown')
  return error.status === 503 || error.status === 501 ? t('preview.officeAway') : undefined
}

interface EditorProps extends OfficeProps {
  document: OfficeDocument
  onRetry: () => void
}

/** The frame with the editor. A form sends the token there, so that it is in no address. */
function Editor({ resource: { name, path }, document, onRetry, onClose }: EditorProps) {
  const { action, token, ttl } = document
  const target = useId()
  const form = useRef<HTMLFormElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const [isStarting, setIsStarting] = useState(true)
  const [trouble, setTrouble] = useState<string>()
  const [isUnsaved, setIsUnsaved] = useState(false)
  useEffect(() => form.current?.submit(), [])
  const say = (message: object) =>
    frame.current?.contentWindow?.postMessage(JSON.stringify(message), new URL(action).origin)
  const renew = async () => {
    try {
      const fresh = await openDocument(path)
      say({ MessageId: 'Reset_Access_Token', Values: { token: fresh.token, ttl: fresh.ttl } })
      setTrouble(undefined)
    } catch (error) {
      setTrouble(errorText(error))
    }
  }
  const mayCopy = useSession().user?.perm.create === true
  // The host numbers the name, which is taken.
  const saveCopy = () => say({ MessageId: 'Action_SaveAs', Values: { Name: name, Notify: true } })
  const isOver = useHeldSession(() => void renew())
  const react: Record<EditorNews, () => void> = {
    ready() {
      setIsStarting(false)
      // Collabora sends no other message before this one.
      say({ MessageId: 'Host_PostmessageReady' })
    },
    close: onClose,
    saved() {
      setTrouble(undefined)
      setIsUnsaved(false)
    },
    unsaved: () => setIsUnsaved(true),
    expiring: () => void renew(),
  }
  const onMessage = useEffectEvent(({ origin, source, data }: MessageEvent) => {
    if (!source || source !== frame.current?.contentWindow || origin !== new URL(action).origin) return
    const news = messageOf(data)
    if (news) react[news]()
  })
  useEffect(() => {
    const listen = (event: MessageEvent) => onMessage(event)
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }, [])
  return (
    <div className={styles.editor}>
      <Notes {...{ document, isOver, trouble, isUnsaved, onRetry }} {...(mayCopy && { onCopy: saveCopy })} />
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
