import { type FormEvent, useRef, useState } from 'react'
import type { HostSetting } from '../../../../shared/api/diagnostics.ts'
import { ApiError } from '../../../lib/api.ts'
import { errorText } from '../../../lib/error-text.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { putHostSetting, resetHostSetting } from '../api/host-settings.ts'
import { aboutSetting, shownText } from '../host-texts.ts'

interface HostSettingPromptProps {
  setting: HostSetting
}

const FORM = 'host-setting'

/** Prompts for the value of a host setting from the next start. */
export default function HostSettingPrompt({ setting }: HostSettingPromptProps) {
  const { name, default: fallback = '', kept } = setting
  const control = useRef<HTMLElement>(null)
  const [text, setText] = useState(kept ?? fallback)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const run = async (change: Promise<void>) => {
    setBusy(true)
    setProblem(undefined)
    try {
      await change
      notify('success', t('diagnostics.settingSaved'))
      closePrompt()
    } catch (error) {
      const isRefused = error instanceof ApiError && error.status === 400
      setProblem(isRefused ? t('fields.invalid') : errorText(error))
      setBusy(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wanted = text.trim()
    if (!busy) void run(wanted === fallback ? resetHostSetting(name) : putHostSetting(name, wanted))
  }
  const change = (wanted: string) => {
    setText(wanted)
    setProblem(undefined)
  }
  return (
    <Dialog
      title={t('diagnostics.changeNamed', { name })}
      description={t('diagnostics.changeableText')}
      onClose={closePrompt}
      initialFocus={control}
      aside={
        kept !== undefined && (
          <Button disabled={busy} onClick={() => void run(resetHostSetting(name))}>
            {t('diagnostics.toDefault')}
          </Button>
        )
      }
      footer={
        <>
          <Button onClick={closePrompt}>{t('common.cancel')}</Button>
          <Button kind="primary" type="submit" form={FORM} busy={busy}>
            {t('fields.save')}
          </Button>
        </>
      }
    >
      <form
        ref={form => {
          control.current = form?.querySelector<HTMLElement>('input, select') ?? null
        }}
        id={FORM}
        onSubmit={submit}
        noValidate
      >
        <Value setting={setting} text={text} error={problem} onChange={change} />
      </form>
    </Dialog>
  )
}

interface ValueProps {
  setting: HostSetting
  text: string
  error: string | undefined
  onChange: (text: string) => void
}

/** A check box for a boolean, a select for an enumeration, else a field. */
function Value({ setting, text, error, onChange }: ValueProps) {
  const { default: fallback = '', words } = setting
  const label = aboutSetting(setting)
  const hint = t('diagnostics.defaultIs', { value: shownText(setting, fallback) })
  if (words?.includes('true')) {
    const toggle = (isOn: boolean) => onChange(String(isOn))
    return <Checkbox label={label} hint={hint} error={error} checked={text === 'true'} onChange={toggle} />
  }
  if (words) {
    const choices = words.map(value => ({ value, label: value }))
    return <SelectField label={label} hint={hint} error={error} choices={choices} value={text} onChange={onChange} />
  }
  return (
    <TextField
      label={label}
      hint={hint}
      error={error}
      dir="ltr"
      inputMode={/^\d+$/.test(fallback) ? 'numeric' : 'text'}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      value={text}
      onChange={event => onChange(event.target.value)}
    />
  )
}
