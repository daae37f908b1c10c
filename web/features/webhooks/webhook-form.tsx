import { type FormEvent, useEffect, useRef, useState } from 'react'
import {
  MAX_WEBHOOK_NAME,
  MAX_WEBHOOK_PATTERN,
  NOT_FOR_USERS,
  WEBHOOK_TYPES,
  type Webhook,
  type WebhookRequest,
  type WebhookSecret,
  type WebhookType,
} from '../../../shared/api/webhooks.ts'
import { ApiError } from '../../lib/api.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatFacts } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { useOnline } from '../../lib/online.ts'
import { closePrompt } from '../../lib/prompts.ts'
import { useSession } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { addWebhook, changeWebhook, reloadWebhooks } from './api/webhooks.ts'
import { TYPE_LABELS } from './labels.ts'
import styles from './webhooks.module.css'

const FORM = 'webhook'
const NEW: WebhookRequest = { name: '', url: '', types: [], folder: '', pattern: '', enabled: true }

interface WebhookFormProps {
  webhook: Webhook | undefined
  networks: readonly string[]
  onMade: (made: WebhookSecret) => void
}

/** Asks for the name, the address, the types of events and the folder of a webhook. */
export function WebhookForm({ webhook, networks, onMade }: WebhookFormProps) {
  const [draft, setDraft] = useState<WebhookRequest>(() => (webhook ? requestOf(webhook) : NEW))
  const [chosen, setChosen] = useState(draft.types.length > 0)
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const online = useOnline()
  useEffect(() => field.current?.focus(), [])
  const change = (part: Partial<WebhookRequest>) => setDraft({ ...draft, ...part })

  const save = async () => {
    const request = { ...draft, types: chosen ? draft.types : [] }
    if (webhook) {
      await changeWebhook(webhook.id, request)
      closePrompt()
    } else onMade(await addWebhook(request))
    await reloadWebhooks()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (draft.name.trim() === '' || draft.url.trim() === '') return setProblem(t('webhooks.missing'))
    setBusy(true)
    setProblem('')
    await save()
      .catch((error: unknown) => setProblem(problemText(error)))
      .finally(() => setBusy(false))
  }
  return (
    <Dialog
      title={t(webhook ? 'webhooks.edit' : 'webhooks.new')}
      onClose={closePrompt}
      initialFocus={field}
      footer={
        <>
          <Button onClick={closePrompt}>{t('common.cancel')}</Button>
          <Button kind="primary" type="submit" form={FORM} busy={busy} disabled={!online}>
            {t('fields.save')}
          </Button>
        </>
      }
    >
      <form id={FORM} className={styles.form} noValidate onSubmit={event => void submit(event)}>
        <TextField
          ref={field}
          label={t('tokens.label')}
          value={draft.name}
          maxLength={MAX_WEBHOOK_NAME}
          autoComplete="off"
          onChange={event => change({ name: event.target.value })}
        />
        <TextField
          label={t('webhooks.url')}
          hint={
            networks.length === 0 ? t('webhooks.urlHint') : t('webhooks.urlNetworks', { list: formatFacts(networks) })
          }
          type="url"
          dir="ltr"
          value={draft.url}
          autoComplete="off"
          onChange={event => change({ url: event.target.value })}
        />
        <SelectField
          label={t('webhooks.events')}
          choices={[
            { value: 'all', label: t('webhooks.allEvents') },
            { value: 'chosen', label: t('webhooks.chosenEvents') },
          ]}
          value={chosen ? 'chosen' : 'all'}
          onChange={choice => setChosen(choice === 'chosen')}
        />
        {chosen && <Types value={draft.types} onChange={types => change({ types })} />}
        <TextField
          label={t('webhooks.folder')}
          hint={t('webhooks.folderHint')}
          value={draft.folder}
          autoComplete="off"
          dir="auto"
          onChange={event => change({ folder: event.target.value })}
        />
        <TextField
          label={t('webhooks.pattern')}
          hint={t('webhooks.patternHint')}
          value={draft.pattern}
          maxLength={MAX_WEBHOOK_PATTERN}
          autoComplete="off"
          dir="auto"
          onChange={event => change({ pattern: event.target.value })}
        />
        <Checkbox label={t('webhooks.enabled')} checked={draft.enabled} onChange={enabled => change({ enabled })} />
        <p className={styles.problem} role="alert">
          {online ? problem : t('errors.offline')}
        </p>
      </form>
    </Dialog>
  )
}

/** A refusal is about the address: everything else is checked here. */
const problemText = (error: unknown): string =>
  error instanceof ApiError && error.status === 400 ? t('webhooks.refused') : errorText(error)

function Types({ value, onChange }: { value: readonly WebhookType[]; onChange: (value: WebhookType[]) => void }) {
  const isAdmin = useSession().user?.perm.admin
  const types = isAdmin ? WEBHOOK_TYPES : WEBHOOK_TYPES.filter(type => !NOT_FOR_USERS.has(type))
  return (
    <fieldset className={styles.types} aria-label={t('webhooks.chosenEvents')}>
      {types.map(type => (
        <Checkbox
          key={type}
          label={t(TYPE_LABELS[type])}
          hint={type}
          checked={value.includes(type)}
          onChange={wanted => onChange(wanted ? [...value, type] : value.filter(other => other !== type))}
        />
      ))}
    </fieldset>
  )
}

const requestOf = ({ name, url, types, folder, pattern, enabled }: Webhook): WebhookRequest => ({
  name,
  url,
  types,
  folder,
  pattern,
  enabled,
})
