import { t } from '../../lib/i18n/index.ts'
import { Card } from '../../ui/card.tsx'
import { type Confirmation, CurrentPassword } from '../../ui/current-password.tsx'
import { FormBar } from '../../ui/form-bar.tsx'

interface SavingBarProps {
  isNew: boolean
  dirty: boolean
  busy: boolean
  confirmation: Confirmation
  onCancel: () => void
}

/** The end of the form of a user or a group: the current password where the server asks for it, and the buttons. */
export function SavingBar({ isNew, dirty, busy, confirmation, onCancel }: SavingBarProps) {
  return (
    <>
      {confirmation.field && (
        <Card title={t('fields.confirm')}>
          <CurrentPassword confirmation={confirmation} />
        </Card>
      )}
      {(isNew || dirty) && (
        <FormBar
          {...(isNew ? {} : { text: t('fields.unsaved') })}
          submit={t(isNew ? 'users.create' : 'fields.save')}
          busy={busy}
          cancel={t(isNew ? 'common.cancel' : 'fields.discard')}
          onCancel={onCancel}
        />
      )}
    </>
  )
}
