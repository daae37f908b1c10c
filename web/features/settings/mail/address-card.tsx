import { type FormEvent, useState } from 'react'
import type { AccountMail } from '../../../../shared/api/mail.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { useOnline } from '../../../lib/online.ts'
import { useQuery } from '../../../lib/query.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { CurrentPassword, useConfirmation } from '../../../ui/current-password.tsx'
import { TextField } from '../../../ui/field.tsx'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { accountMailQuery, changeMailAddress } from '../api/mail.ts'
import styles from './mail.module.css'
import { Notices } from './notices.tsx'
import { addressProblem } from './problem.ts'

/** The caller's mail address, which counts once it is confirmed. */
export default function AddressCard() {
  const { data, error, refetch } = useQuery(accountMailQuery)
  if (data) return <AddressForm key={`${data.address} ${data.pending}`} state={data} />
  return (
    <Card title={t('mail.address')}>
      {error ? (
        <LoadFailure error={error} onRetry={() => void refetch()} />
      ) : (
        <Spinner label={t('common.loading')} onRetry={() => void refetch()} />
      )}
    </Card>
  )
}

function AddressForm({ state: { address, pending, notices, off } }: { state: AccountMail }) {
  const [value, setValue] = useState(pending || address)
  const { busy, problem, confirmation, clear, save } = useChange()
  const online = useOnline()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save(value.trim())
  }
  const hasAddress = address !== '' || pending !== ''
  return (
    <form noValidate onSubmit={submit}>
      <Card
        title={t('mail.address')}
        text={t('mail.addressText')}
        footer={
          <>
            {hasAddress && (
              <Button kind="quiet" disabled={!online || busy} onClick={() => void save('')}>
                {t('mail.removeAddress')}
              </Button>
            )}
            <Button type="submit" kind="primary" busy={busy} disabled={!online || value.trim() === ''}>
              {t('mail.save')}
            </Button>
          </>
        }
      >
        {address !== '' && <p className={styles.facts}>{t('mail.confirmedIs', { address })}</p>}
        {pending !== '' && <p className={styles.facts}>{t('mail.pendingIs', { address: pending })}</p>}
        <TextField
          label={t('mail.address')}
          type="email"
          dir="ltr"
          autoComplete="email"
          error={problem}
          value={value}
          onChange={event => {
            setValue(event.target.value)
            clear()
          }}
        />
        <CurrentPassword confirmation={confirmation} />
        {address !== '' && <Notices notices={notices} off={off} />}
      </Card>
    </form>
  )
}

function useChange() {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const confirmation = useConfirmation()
  const save = async (address: string) => {
    if (busy) return
    setBusy(true)
    try {
      await changeMailAddress(address, confirmation.password)
      notify('success', address === '' ? t('settings.updated') : t('mail.sentTo', { address }))
    } catch (error) {
      if (!confirmation.takes(error)) setProblem(addressProblem(error))
    }
    setBusy(false)
  }
  return { busy, problem, confirmation, clear: () => setProblem(undefined), save }
}
