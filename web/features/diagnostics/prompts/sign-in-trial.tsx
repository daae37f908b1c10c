import { type FormEvent, useRef, useState } from 'react'
import type { ProviderStatus } from '../../../../shared/api/providers.ts'
import type { SignInTrial } from '../../../../shared/api/trials.ts'
import { errorText } from '../../../lib/error-text.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useOnline } from '../../../lib/online.ts'
import { closePrompt, openPrompt } from '../../../lib/prompts.ts'
import { Button } from '../../../ui/button.tsx'
import { CurrentPassword, useConfirmation } from '../../../ui/current-password.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import formStyles from '../../../ui/form.module.css'
import { PasswordField } from '../../../ui/password-field.tsx'
import { tryDirectory, tryProvider } from '../api/trials.ts'

interface SignInTrialPromptProps {
  status: Pick<ProviderStatus, 'kind' | 'slug' | 'label'>
}

const FORM = 'sign-in-trial'

/** Tries a provider, to which the browser goes, or a directory with the name of a user. */
export default function SignInTrialPrompt({ status: { kind, slug, label } }: SignInTrialPromptProps) {
  const online = useOnline()
  const first = useRef<HTMLInputElement>(null)
  const begin = useRef<HTMLButtonElement>(null)
  const confirmation = useConfirmation()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name) ?? '')
    if (busy || (kind === 'ldap' && text('who') === '')) return first.current?.focus()
    setBusy(true)
    setProblem(undefined)
    try {
      const current_password = confirmation.password
      const password = text('secret') === '' ? undefined : text('secret')
      const trial =
        kind === 'oidc'
          ? await goTo(slug, current_password)
          : await tryDirectory(slug, { username: text('who'), password, current_password })
      if (trial) openPrompt('signInTrialResult', { trial })
    } catch (error) {
      if (!confirmation.takes(error)) setProblem(errorText(error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={t('diagnostics.trialNamed', { what: label })}
      description={
        kind === 'oidc'
          ? `${t('diagnostics.trialText')} ${t('diagnostics.trialLeave', { what: label })}`
          : t('diagnostics.trialText')
      }
      onClose={closePrompt}
      initialFocus={kind === 'oidc' ? begin : first}
      footer={
        <>
          <Button onClick={closePrompt}>{t('common.cancel')}</Button>
          <Button ref={begin} kind="primary" type="submit" form={FORM} busy={busy} disabled={!online}>
            {t('diagnostics.trialStart')}
          </Button>
        </>
      }
    >
      <form id={FORM} className={formStyles.form} noValidate onSubmit={event => void submit(event)}>
        {kind === 'ldap' && (
          <>
            <TextField
              ref={first}
              label={t('diagnostics.trialUser')}
              name="who"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
            <PasswordField
              label={t('diagnostics.trialPassword')}
              hint={t('diagnostics.trialPasswordHint')}
              name="secret"
              autoComplete="off"
            />
          </>
        )}
        <CurrentPassword confirmation={confirmation} />
        {problem !== undefined && <p role="alert">{problem}</p>}
      </form>
    </Dialog>
  )
}

/** Leaves for the provider. @returns how it failed before that */
async function goTo(slug: string, password: string | undefined): Promise<SignInTrial | undefined> {
  const { location: target, trial } = await tryProvider(slug, { current_password: password })
  if (target !== undefined) location.assign(target)
  return trial
}
