import { type FormEvent, useRef, useState } from 'react'
import { type SettingsAnswer, SettingsInput } from '../../../shared/api/settings.ts'
import { pageConfig } from '../../lib/config.ts'
import { errorText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { lazyLinks, lazyMail, lazySignIn } from '../../lib/lazy.ts'
import { notify } from '../../lib/notices.ts'
import { useQuery } from '../../lib/query.ts'
import { type Problems, problemsOf } from '../../lib/refusal.ts'
import { ErrorSummary } from '../../ui/error-summary.tsx'
import styles from '../../ui/form.module.css'
import { FormBar } from '../../ui/form-bar.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { settingsQuery, updateSettings } from './api/settings.ts'
import { CommandRunnerCard } from './command-runner-card.tsx'
import { DefaultsCard } from './defaults-card.tsx'
import { useDraft, useUnsavedGuard } from './draft.ts'
import { GeneralCard } from './general-card.tsx'
import { draftOf, type GlobalDraft, wireOf } from './global-draft.ts'
import { nameOfField } from './global-fields.ts'
import { mergeFields } from './merge.ts'
import { schemaProblems } from './validate.ts'

const MailCard = lazyMail(() => import('./mail/mail-card.tsx'))
const LinkPolicyCard = lazyLinks(() => import('./link-policy-card.tsx'))
const PolicyCard = lazySignIn(() => import('./factors/policy-card.tsx'))

/** The settings of the whole instance. */
export default function GlobalPage() {
  const { data, error, refetch } = useQuery(settingsQuery)
  if (data) {
    return (
      <>
        <GlobalForm settings={data} />
        {pageConfig.AuthMethod === 'json' && <PolicyCard />}
        <LinkPolicyCard />
      </>
    )
  }
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />
  return <Spinner label={t('common.loading')} onRetry={() => void refetch()} />
}

/** When only the commands changed, the notice names them. */
function successText(saved: GlobalDraft, sent: GlobalDraft): string {
  const { commands: _, ...others } = wireOf(sent)
  const { commands: __, ...before } = wireOf(saved)
  const onlyCommands = JSON.stringify(others) === JSON.stringify(before)
  return onlyCommands ? t('settings.commandsUpdated') : t('settings.updated')
}

const NONE: Problems = {}

/** Validates and saves the settings; holds the server's errors. */
function useSaving() {
  const [busy, setBusy] = useState(false)
  const [problems, setProblems] = useState(NONE)
  /**
   * @returns the stored settings, including concurrent changes by others; `undefined` when nothing was stored
   */
  const save = async (saved: SettingsAnswer, wanted: SettingsAnswer): Promise<SettingsAnswer | undefined> => {
    const wrong = schemaProblems(SettingsInput, wanted)
    setProblems(wrong)
    if (Object.keys(wrong).length > 0) return undefined
    setBusy(true)
    try {
      return await updateSettings(now => mergeFields(saved, wanted, wireOf(draftOf(now))))
    } catch (error) {
      const found = problemsOf(error)
      if (found) setProblems(found)
      else notify('error', errorText(error))
      return undefined
    } finally {
      setBusy(false)
    }
  }
  return { busy, problems, clear: () => setProblems(NONE), save }
}

function GlobalForm({ settings }: { settings: SettingsAnswer }) {
  const draft = useDraft(() => draftOf(settings), wireOf)
  const { busy, problems, clear, save } = useSaving()
  const form = useRef<HTMLFormElement>(null)
  useUnsavedGuard(draft.dirty)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy || !draft.dirty) return
    const wanted = wireOf(draft.value)
    const stored = await save(wireOf(draft.saved), wanted)
    if (!stored) return
    notify('success', successText(draft.saved, draft.value))
    draft.settle(JSON.stringify(stored) === JSON.stringify(wanted) ? undefined : draftOf(stored))
    // The bar with the button is removed.
    form.current?.focus()
  }
  const parts = { value: draft.value, onChange: draft.change, problems }
  return (
    <form ref={form} className={styles.form} tabIndex={-1} noValidate onSubmit={event => void submit(event)}>
      <ErrorSummary problems={problems} nameOf={nameOfField} />
      <GeneralCard {...parts} />
      <DefaultsCard {...parts} />
      {pageConfig.EnableExec && <CommandRunnerCard {...parts} />}
      {pageConfig.Mail && <MailCard />}
      {draft.dirty && (
        <FormBar
          text={t('fields.unsaved')}
          submit={t('fields.save')}
          busy={busy}
          cancel={t('fields.discard')}
          onCancel={() => {
            draft.discard()
            clear()
            form.current?.focus()
          }}
        />
      )}
    </form>
  )
}
