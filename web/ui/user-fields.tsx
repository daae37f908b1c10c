import { VIEW_MODES, type ViewMode } from '../../shared/api/users.ts'
import { LOCALE_NAMES } from '../../shared/locale-names.ts'
import { LOCALES } from '../../shared/locales.ts'
import { t } from '../lib/i18n/index.ts'
import { Checkbox } from './checkbox.tsx'
import { TextField } from './field.tsx'
import { type Choice, SelectField } from './select-field.tsx'

export interface LanguageFieldProps {
  value: string
  onChange: (locale: string) => void
  /** Whether the browser's language can be selected (`''`). */
  byBrowser?: boolean
}

/** A user's language. An unsupported tag from imported data stays selectable. */
export function LanguageField({ value, onChange, byBrowser = true }: LanguageFieldProps) {
  const known = value === '' || LOCALES.some(locale => locale.code === value)
  const choices: Choice[] = [
    ...(byBrowser ? [{ value: '', label: t('fields.languageBrowser') }] : []),
    ...LOCALES.map(({ code, tag }) => ({ value: code, label: LOCALE_NAMES[code], lang: tag })),
    ...(known ? [] : [{ value, label: value }]),
  ]
  return <SelectField label={t('fields.language')} choices={choices} value={value} onChange={onChange} />
}

export function ViewModeField({ value, onChange }: { value: ViewMode; onChange: (mode: ViewMode) => void }) {
  const labels: Record<ViewMode, string> = {
    list: t('fields.viewList'),
    mosaic: t('fields.viewMosaic'),
    'mosaic gallery': t('fields.viewGallery'),
  }
  const choose = (chosen: string) => {
    const mode = VIEW_MODES.find(known => known === chosen)
    if (mode) onChange(mode)
  }
  const choices = VIEW_MODES.map(mode => ({ value: mode, label: labels[mode] }))
  return <SelectField label={t('fields.viewMode')} choices={choices} value={value} onChange={choose} />
}

/** A user's default view of folders. */
export interface DisplayOptions {
  hideDotfiles: boolean
  singleClick: boolean
  dateFormat: boolean
}

export interface DisplayFieldsProps {
  value: DisplayOptions
  onChange: (part: Partial<DisplayOptions>) => void
}

export function DisplayFields({ value, onChange }: DisplayFieldsProps) {
  return (
    <div>
      <Checkbox
        label={t('fields.hideDotfiles')}
        checked={value.hideDotfiles}
        onChange={hideDotfiles => onChange({ hideDotfiles })}
      />
      <Checkbox
        label={t('fields.singleClick')}
        checked={value.singleClick}
        onChange={singleClick => onChange({ singleClick })}
      />
      <Checkbox
        label={t('fields.dateFormat')}
        checked={value.dateFormat}
        onChange={dateFormat => onChange({ dateFormat })}
      />
    </div>
  )
}

export interface CommandsFieldProps {
  value: string
  onChange: (commands: string) => void
  error?: string | undefined
}

/** The commands a user may run, separated by spaces. */
export function CommandsField({ value, onChange, error }: CommandsFieldProps) {
  return (
    <TextField
      label={t('fields.commands')}
      hint={t('fields.commandsHint')}
      error={error}
      dir="ltr"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      value={value}
      data-field="commands"
      onChange={event => onChange(event.target.value)}
    />
  )
}

/** A space-separated list without empty words. */
export function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter(Boolean)
}
