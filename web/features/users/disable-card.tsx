import { useState } from 'react'
import { errorText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { useOnline } from '../../lib/online.ts'
import { useQuery } from '../../lib/query.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CurrentPassword, useConfirmation } from '../../ui/current-password.tsx'
import styles from '../../ui/form.module.css'
import { Lock, LockOpen } from '../../ui/icons.ts'
import { disabledQuery, disableUser } from './api/users.ts'

/** Disables the account of a user, or enables it again. It counts at once. */
export default function DisableCard({ id }: { id: number }) {
  const { data } = useQuery(disabledQuery)
  const [busy, setBusy] = useState(false)
  const confirmation = useConfirmation()
  const online = useOnline()
  if (!data) return null
  const isDisabled = data.has(id)
  const act = async () => {
    if (busy) return
    setBusy(true)
    try {
      await disableUser(id, !isDisabled, confirmation.password)
      notify('success', t(isDisabled ? 'accounts.isEnabled' : 'accounts.isDisabled'))
    } catch (error) {
      if (!confirmation.takes(error)) notify('error', errorText(error))
    }
    setBusy(false)
  }
  const Icon = isDisabled ? LockOpen : Lock
  return (
    <Card
      title={t(isDisabled ? 'accounts.disabled' : 'accounts.disable')}
      text={t(isDisabled ? 'accounts.enableText' : 'accounts.disableText')}
    >
      <CurrentPassword confirmation={confirmation} />
      <Button
        className={styles.start}
        icon={<Icon size={18} aria-hidden />}
        busy={busy}
        disabled={!online}
        onClick={() => void act()}
      >
        {t(isDisabled ? 'accounts.enable' : 'accounts.disable')}
      </Button>
    </Card>
  )
}
