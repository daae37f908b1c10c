import { useState } from 'react'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { useOnline } from '../../lib/online.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { CurrentPassword, useConfirmation } from '../../ui/current-password.tsx'
import { TextField, type TextFieldProps } from '../../ui/field.tsx'
import { inviteUser } from '../settings/api/mail.ts'
import { addressProblem } from '../settings/mail/problem.ts'

export interface InvitationProps {
  /** The existing user who is invited; for a new one the form sends the invitation. */
  userId?: number
  /** For a new user: the address, `undefined` for a password instead. */
  value?: string | undefined
  onChange?: (address: string | undefined) => void
  problem?: string | undefined
}

/** Invitation of a user by a mail whose link sets the password (http-api 38). */
export default function Invitation({ userId, value, onChange, problem }: InvitationProps) {
  if (userId !== undefined) return <InvitationCard userId={userId} />
  return (
    <Card title={t('mail.invitation')}>
      <Checkbox
        label={t('mail.invite')}
        hint={t('mail.inviteHint')}
        checked={value !== undefined}
        onChange={checked => onChange?.(checked ? '' : undefined)}
      />
      {value !== undefined && (
        <AddressField error={problem} value={value} onChange={event => onChange?.(event.target.value)} />
      )}
    </Card>
  )
}

const AddressField = (props: Omit<TextFieldProps, 'label'>) => (
  <TextField label={t('mail.address')} type="email" dir="ltr" autoComplete="off" data-field="invitation" {...props} />
)

function InvitationCard({ userId }: { userId: number }) {
  const [address, setAddress] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const confirmation = useConfirmation()
  const online = useOnline()
  const send = async () => {
    if (busy) return
    setBusy(true)
    setProblem(undefined)
    try {
      await inviteUser(userId, address.trim(), confirmation.password)
      notify('success', t('mail.invited', { address: address.trim() }))
      setAddress('')
    } catch (error) {
      if (!confirmation.takes(error)) setProblem(addressProblem(error))
    }
    setBusy(false)
  }
  return (
    <Card
      title={t('mail.invitation')}
      text={t('mail.invitationText')}
      footer={
        <Button busy={busy} disabled={!online || address.trim() === ''} onClick={() => void send()}>
          {t('mail.sendInvitation')}
        </Button>
      }
    >
      <AddressField
        error={problem}
        value={address}
        onChange={event => {
          setAddress(event.target.value)
          setProblem(undefined)
        }}
        onKeyDown={event => {
          // Enter would submit the form around the card.
          if (event.key !== 'Enter') return
          event.preventDefault()
          void send()
        }}
      />
      <CurrentPassword confirmation={confirmation} />
    </Card>
  )
}
