import { t } from '../../lib/i18n/index.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { IconButton } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { FolderOpen } from '../../ui/late-icons.ts'

interface ScopeFieldProps {
  value: string
  onChange: (scope: string) => void
  error: string | undefined
  /** Of the field, in the answers of the server. */
  name: string
  disabled?: boolean
}

/** The scope of users: typed, since the folder may not exist yet, or chosen among the folders. */
export function ScopeField({ value, onChange, error, name, disabled = false }: ScopeFieldProps) {
  return (
    <TextField
      label={t('fields.scope')}
      hint={t('fields.scopeHint')}
      error={error}
      dir="ltr"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      disabled={disabled}
      data-field={name}
      value={value}
      onChange={event => onChange(event.target.value)}
      end={
        <IconButton
          label={t('settings.chooseFolder')}
          disabled={disabled}
          onClick={() => openPrompt('chooseScope', { scope: value, onChoose: onChange })}
        >
          <FolderOpen size={18} aria-hidden />
        </IconButton>
      }
    />
  )
}
